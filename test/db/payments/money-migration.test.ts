import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { migrate } from '../../../db/engine/migrate.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import {
  type BarePayment,
  insertBareMerchant,
  insertBareOperation,
  insertBarePayment,
  insertBareRefund,
  insertOldOperation,
  insertOldPayment,
} from '../../support/db/bare-rows.ts';
import { schemaBefore } from '../../support/db/migrate-to.ts';

let database: TestDatabase;
let client: Client;
before(async () => {
  database = await testDatabase();
  client = new Client(database.url);
  await client.connect();
});
after(async () => {
  await client.end();
  await database.drop();
});

test('a database with payments accepts the constraints on discrepancies and on money', async () => {
  await schemaBefore(client, '013');
  await insertBareMerchant(client);
  const refused = await insertOldPayment(client, { status: 'refused' });
  const authorize = await insertOldOperation(client, refused, { kind: 'authorize', state: 'refused' });
  const pix = await insertOldPayment(client, { txid: 'a' });
  const charge = await insertOldOperation(client, pix, { kind: 'pix_charge' });
  const paid = await insertOldPayment(client, { status: 'paid', captured: 60 });
  const capture = await insertOldOperation(client, paid, { kind: 'capture', state: 'approved', amount: 60 });
  const cancel = await insertOldOperation(client, paid, { kind: 'cancel', state: 'refused' });
  const refunds = [];
  for (const [state, status, reason] of [
    ['approved', 'succeeded', null],
    ['refused', 'denied', 'x'],
    ['pending', 'in_progress', null],
  ] as const) {
    const id = await insertBareRefund(client, paid, 20);
    const columns = { id: `'${id}'`, refund_id: `'${id}'` };
    await insertOldOperation(client, paid, { kind: 'refund', state, amount: 20, columns });
    await client.query(
      'update refunds set status = $2, denial_code = $3, denial_message = $3 where id = $1',
      [id, status, reason],
    );
    refunds.push(id);
  }
  await client.query(
    `insert into acquirer_notifications (slot, merchant_id, id, type, reference, received_at)
     select slot, merchant_id, 'n', 'pix.paid', 'r', now() from merchants`,
  );

  await migrate(database.url, 'sandbox');

  const { rows: amounts } = await client.query(
    'select distinct payment_amount_centavos::int as amount from payment_operations',
  );
  assert.deepEqual(amounts, [{ amount: 100 }]);
  const { rows: results } = await client.query(
    'select operation_id as id, state, refund_status as status, refusal_code as code from payment_operation_results',
  );
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  assert.deepEqual(
    results.sort(byId),
    [
      { id: authorize, state: 'refused', status: null, code: 'do_not_honor' },
      { id: capture, state: 'approved', status: null, code: null },
      { id: cancel, state: 'refused', status: null, code: 'do_not_honor' },
      { id: refunds[0]!, state: 'approved', status: 'succeeded', code: null },
      { id: refunds[1]!, state: 'refused', status: 'denied', code: 'do_not_honor' },
    ].sort(byId),
  );
  const { rows: waiting } = await client.query('select waiting_since from acquirer_notifications');
  assert.deepEqual(waiting, [{ waiting_since: null }]);
  const { rows: open } = await client.query("select id from payment_operations where state = 'pending'");
  assert.deepEqual(open.sort(byId), [{ id: charge }, { id: refunds[2]! }].sort(byId));
});

test('a payment with an open capture or cancellation gets it as its pending operation', async () => {
  await schemaBefore(client, '020');
  await insertBareMerchant(client);
  const expected: (readonly [id: string, pending: string | null])[] = [];
  const insert = async (
    pending: string | null,
    payment: BarePayment,
    kind: string,
    state: 'pending' | 'refused' = 'pending',
  ) => {
    const id = await insertOldPayment(client, payment);
    await insertBareOperation(client, id, { kind, state });
    expected.push([id, pending]);
  };
  for (const status of ['pre_authorized', 'processing']) {
    await insert('capture', { status }, 'capture');
    await insert('void', { status }, 'cancel');
    await insert(null, { status }, 'capture', 'refused');
  }
  for (const status of ['waiting_payment', 'processing']) {
    await insert('cancel', { status, txid: `a-${status}` }, 'cancel');
    await insert(null, { status, txid: `b-${status}` }, 'pix_charge');
  }
  await insert(null, { status: 'processing' }, 'authorize');
  await insert(null, { status: 'expired', txid: 'c' }, 'cancel');

  await migrate(database.url, 'sandbox');

  const { rows } = await client.query('select id, pending_operation from payments');
  const found = rows.map((row) => [row.id, row.pending_operation]);
  assert.deepEqual(found.sort(), [...expected].sort());
});

test('what a payment stores of its method moves into its details', async () => {
  await schemaBefore(client, '021');
  await insertBareMerchant(client);
  const columns = { statement_descriptor: `'LOJA'`, manual_capture: 'true', authorization_code: `'A1'` };
  const card = await insertOldPayment(client, { columns });
  const open = await insertOldPayment(client, { txid: 'a' });
  const paid = await insertOldPayment(client, {
    txid: 'b',
    columns: {
      pix_expires_at: `'2026-01-02T03:04:05.678-03:00'`,
      pix_qr_code: `'code'`,
      pix_qr_image: `'image'`,
      pix_end_to_end_id: `'E1'`,
    },
  });
  const { rows: cards } = await client.query(`select id from cards where holder = 'buyer'`);

  await migrate(database.url, 'sandbox');

  const { rows } = await client.query('select id, details, card_id, txid from payments');
  const byId = new Map(rows.map(({ id, ...row }) => [id, row]));
  assert.deepEqual(byId.get(card), {
    details: {
      cardId: cards[0].id,
      brand: 'visa',
      first6: '424242',
      last4: '4242',
      statementDescriptor: 'LOJA',
      manualCapture: true,
      authorizationCode: 'A1',
    },
    card_id: cards[0].id,
    txid: null,
  });
  assert.deepEqual(byId.get(paid), {
    details: {
      txid: 'b',
      qrCode: 'code',
      qrImage: 'image',
      expiresAt: '2026-01-02T06:04:05.678Z',
      endToEndId: 'E1',
    },
    card_id: null,
    txid: 'b',
  });
  const { details } = byId.get(open)!;
  assert.deepEqual([details.qrCode, details.qrImage, details.endToEndId], [null, null, null]);
});

test('payments that were disputed get their disputes, according to their events and status', async () => {
  await schemaBefore(client, '045');
  await insertBareMerchant(client);
  const emit = async (paymentId: string, event: string, hours: number, refunded = 0) => {
    const amounts = JSON.stringify({ captured_amount: 100, refunded_amount: refunded });
    await client.query(
      `insert into events (slot, merchant_id, id, event, object_type, object_id, payment_id, data, created_at)
       select slot, merchant_id, gen_random_uuid(), $2, 'payment', id, id, $3, $4 from payments where id = $1`,
      [paymentId, `payment.${event}`, amounts, at(hours)],
    );
  };
  const at = (hours: number) => new Date(Date.UTC(2026, 9, 1, hours));
  const paid = (status: string, refunded = 0) =>
    insertBarePayment(client, { status, captured: 100, refunded });
  const requested = await paid('chargeback_requested', 30);
  await emit(requested, 'chargeback_requested', 1);
  const lost = await paid('chargeback_lost');
  await emit(lost, 'chargeback_requested', 1);
  await emit(lost, 'chargeback_dispute', 5);
  const twice = await paid('chargeback_dispute', 60);
  await emit(twice, 'chargeback_requested', 1, 20);
  await emit(twice, 'chargeback_dispute', 2, 20);
  await emit(twice, 'chargeback_requested', 3, 60);
  await emit(twice, 'chargeback_dispute', 4, 60);
  const won = await paid('refunded', 100);
  await emit(won, 'chargeback_requested', 1, 10);
  await emit(won, 'chargeback_dispute', 2, 10);
  await paid('paid');

  await migrate(database.url, 'sandbox');

  const { rows } = await client.query(
    `select payment_id, status, amount_centavos::int as amount, created_at, decided_at, evidence_due_at from disputes
      order by created_at, payment_id`,
  );
  const found = rows.map((row) => [row.payment_id, row.status, row.amount, row.created_at, row.decided_at]);
  const first = [
    [requested, 'requested', 70, at(1), null],
    [lost, 'lost', 100, at(1), at(5)],
    [twice, 'won', 80, at(1), at(2)],
    [won, 'won', 90, at(1), at(2)],
  ].sort(([one], [other]) => (one! < other! ? -1 : 1));
  assert.deepEqual(found, [...first, [twice, 'dispute', 40, at(3), null]]);
  assert.deepEqual(rows[0].evidence_due_at, new Date(at(1).getTime() + 7 * 86_400_000));
});

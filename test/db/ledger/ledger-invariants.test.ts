/** What Postgres itself refuses in the ledger. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { migrate } from '../../../db/engine/migrate.ts';
import type { TestDatabase } from '../../support/database.ts';
import { insertBareMerchant, insertBarePayment } from '../../support/db/bare-rows.ts';
import { ordinaryDatabase } from '../../support/db/ordinary-database.ts';

let database: TestDatabase;
let client: Client;
before(async () => {
  database = await ordinaryDatabase();
  await migrate(database.url, 'sandbox');
  client = new Client(database.url);
  await client.connect();
  await insertBareMerchant(client);
  await insertBarePayment(client, { status: 'paid', captured: 100 });
});
after(async () => {
  await client.end();
  await database.drop();
});

/** Inserts a transfer of the payment, with other values for some columns. */
function insertTransfer(columns: Readonly<Record<string, string>> = {}) {
  const all: Readonly<Record<string, string>> = {
    id: 'gen_random_uuid()',
    transaction_id: 'gen_random_uuid()',
    payment_id: 'id',
    kind: "'capture'",
    debit: "'acquirer_receivable'",
    credit: "'merchant'",
    recipient_id: 'null',
    amount_centavos: '100',
    available_on: "'2026-03-02'",
    reference: "'r'",
    created_at: 'now()',
    ...columns,
  };
  return client.query(
    `insert into ledger_transfers (slot, merchant_id, ${Object.keys(all).join(', ')})
     select slot, merchant_id, ${Object.values(all).join(', ')} from payments`,
  );
}

describe('a transfer is refused', () => {
  const refused: readonly [what: string, columns: Readonly<Record<string, string>>, code: string][] = [
    ['from an account to itself', { debit: "'merchant'" }, '23514'],
    ['of no money', { amount_centavos: '0' }, '23514'],
    ['of a negative amount', { amount_centavos: '-1' }, '23514'],
    ['of an unknown kind', { kind: "'gift'" }, '23514'],
    ['to an unknown account', { credit: "'cash'" }, '23514'],
    ['to a recipient without its id', { credit: "'recipient'" }, '23514'],
    ['with a recipient that no side is', { recipient_id: 'gen_random_uuid()' }, '23514'],
    [
      'to a recipient that does not exist',
      { credit: "'recipient'", recipient_id: 'gen_random_uuid()' },
      '23503',
    ],
    ['of a payment that does not exist', { payment_id: 'gen_random_uuid()' }, '23503'],
  ];
  for (const [what, columns, code] of refused) {
    test(what, () => assert.rejects(insertTransfer(columns), { code }));
  }
});

test('a transfer is not changed by the role that owns the table', async () => {
  await insertTransfer();
  for (const assignment of [
    'amount_centavos = 1',
    "credit = 'disputes'",
    'created_at = now()',
    "available_on = '2026-03-03'",
    'payment_id = id',
  ]) {
    await assert.rejects(client.query(`update ledger_transfers set ${assignment}`), { code: '42501' });
  }
});

test('a payment whose transfers exist is not deleted', async () => {
  await insertTransfer();
  await assert.rejects(client.query('delete from payments'), { code: '23503' });
});

test('a reset may delete a payment after its transfers', async () => {
  await insertTransfer();
  await client.query('begin; delete from ledger_transfers; delete from payments; rollback');
});

describe('a payment is refused', () => {
  for (const [what, assignment] of [
    ['a fee of more than was captured', "fee_centavos = 101, captured_on = '2026-03-02'"],
    ['a fee without the day of the capture', 'fee_centavos = 1'],
    ['a split that is no list', `split = '{"a": 1}'`],
    ['an empty split', "split = '[]'"],
  ] as const) {
    test(what, () => assert.rejects(client.query(`update payments set ${assignment}`), { code: '23514' }));
  }
});

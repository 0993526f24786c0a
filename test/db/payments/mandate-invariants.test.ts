import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PAYMENT_STATUSES } from '../../../domain/payments/payment.ts';
import { bareClient } from '../../support/db/bare-client.ts';
import {
  insertBareOperation,
  insertBarePayment,
  insertBareSubscription,
} from '../../support/db/bare-rows.ts';

const CHECK_VIOLATION = { code: '23514' };
const UNIQUE_VIOLATION = { code: '23505' };

const client = await bareClient();

type Columns = Readonly<Record<string, string>>;

/** The columns of a payment by Pix Automático. */
const recurring = (role: string, details: object = {}, columns: Columns = {}): Columns => ({
  method: `'pix_recurring'`,
  details: `'${JSON.stringify({ mandateId: 'm', role, ...details })}'`,
  ...columns,
});
const EXPIRES = { expiresAt: '2026-11-24T12:00:00.000Z' };
const AUTHORIZATION = recurring('authorization', EXPIRES, { amount_centavos: '0' });
const FIRST_CHARGE = recurring('first_charge', { ...EXPIRES, txid: 't' });

describe('the database accepts the amount 0', () => {
  const allowed = ['scheduled', 'AUTHORIZED', 'expired', 'refused', 'canceled'];
  for (const status of PAYMENT_STATUSES) {
    test(`of a payment that only asks for a mandate: ${allowed.includes(status)} if it is ${status}`, async () => {
      const insert = insertBarePayment(client, { status, columns: AUTHORIZATION });
      if (allowed.includes(status)) await insert;
      else await assert.rejects(insert, CHECK_VIOLATION);
    });
  }

  const zero = { amount_centavos: '0' };
  const others: Readonly<Record<string, Columns>> = {
    card: zero,
    'first charge of a mandate': { ...FIRST_CHARGE, ...zero },
    'later charge of a mandate': recurring(
      'later_charge',
      { txid: 't' },
      { ...zero, billing_date: 'current_date' },
    ),
  };
  for (const [what, columns] of Object.entries(others)) {
    test(`not of a ${what}`, async () => {
      await assert.rejects(insertBarePayment(client, { status: 'scheduled', columns }), CHECK_VIOLATION);
    });
  }

  test('of the request for a mandate and of its end, but of no other operation', async () => {
    const id = await insertBarePayment(client, { status: 'scheduled', columns: AUTHORIZATION });
    await insertBareOperation(client, id, { kind: 'mandate', state: 'approved', amount: 0 });
    await insertBareOperation(client, id, { kind: 'cancel_mandate', amount: 0 });
    await client.query('savepoint operation');
    for (const kind of ['cancel', 'mandate_charge', 'refund']) {
      await assert.rejects(insertBareOperation(client, id, { kind, amount: 0 }), CHECK_VIOLATION, kind);
      await client.query('rollback to savepoint operation');
    }
  });
});

describe('a payment by Pix Automático has what its role needs', () => {
  const incomplete: Readonly<Record<string, Columns>> = {
    'no role': recurring('other'),
    'no mandate': { ...FIRST_CHARGE, details: `'{"role":"first_charge","txid":"t","expiresAt":"x"}'` },
    'no txid of the first charge': recurring('first_charge', EXPIRES),
    'no expiry of the first charge': recurring('first_charge', { txid: 't' }),
    'no expiry of the QR code': recurring('authorization', {}, { amount_centavos: '0' }),
    'an amount that only asks for a mandate': recurring('authorization', EXPIRES),
    'no billing date of a later charge': recurring('later_charge', { txid: 't' }),
  };
  for (const [what, columns] of Object.entries(incomplete)) {
    test(what, async () => {
      await assert.rejects(insertBarePayment(client, { status: 'scheduled', columns }), CHECK_VIOLATION);
    });
  }
});

describe('the operations of a mandate', () => {
  test('ask for it once, and end it once at a time', async () => {
    const id = await insertBarePayment(client, { status: 'waiting_payment', columns: FIRST_CHARGE });
    await insertBareOperation(client, id, { kind: 'mandate', state: 'approved' });
    await insertBareOperation(client, id, { kind: 'cancel_mandate' });
    await insertBareOperation(client, id, { kind: 'cancel' });
    await client.query('savepoint second');
    for (const kind of ['mandate', 'mandate_charge', 'cancel_mandate', 'capture']) {
      await assert.rejects(insertBareOperation(client, id, { kind }), UNIQUE_VIOLATION, kind);
      await client.query('rollback to savepoint second');
    }
  });
});

describe('a mandate', () => {
  /** A mandate of a new payment; `changes` are SQL in place of what a column gets. */
  async function insertMandate(changes: Columns = {}): Promise<void> {
    const txid = Math.random().toString(36).slice(2);
    const columns = recurring('first_charge', { ...EXPIRES, txid });
    const paymentId = await insertBarePayment(client, { status: 'waiting_payment', columns });
    const row: Columns = {
      id: 'gen_random_uuid()',
      subscription_id: 's.id',
      payment_id: 'p.id',
      reference: 'p.reference',
      state: `'created'`,
      interval: `'monthly'`,
      first_charge_on: 'current_date',
      allows_retries: 'true',
      created_at: 'now()',
      updated_at: 'now()',
      ...changes,
    };
    await insertBareSubscription(client);
    await client.query(
      `insert into mandates (slot, merchant_id, ${Object.keys(row).join(', ')})
       select p.slot, p.merchant_id, ${Object.values(row).join(', ')} from payments p
         join subscriptions s using (slot, merchant_id) where p.id = $1 limit 1`,
      [paymentId],
    );
  }

  test('has one id in Pix, which no other has', async () => {
    const authorized = { state: `'authorized'`, charge_code: `'RR1'` };
    await insertMandate(authorized);
    await assert.rejects(insertMandate(authorized), UNIQUE_VIOLATION);
  });

  const impossible: Readonly<Record<string, Columns>> = {
    'a fixed amount and a minimum': { recurring_amount_centavos: '1', min_amount_centavos: '1' },
    'an amount of 0': { recurring_amount_centavos: '0' },
    'an id in Pix before it is authorized': { charge_code: `'RR1'` },
    'a reason of its cancellation while it is authorized': {
      state: `'authorized'`,
      cancellation_code: `'ACCL'`,
    },
    'another state': { state: `'pending'` },
    'another interval': { interval: `'daily'` },
    'a statement of 36 characters': { statement: `'${'x'.repeat(36)}'` },
  };
  for (const [what, changes] of Object.entries(impossible)) {
    test(`does not have ${what}`, async () => {
      await assert.rejects(insertMandate(changes), CHECK_VIOLATION);
    });
  }
});

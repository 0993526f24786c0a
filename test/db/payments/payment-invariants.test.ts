import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PAYMENT_STATUSES } from '../../../domain/payments/payment.ts';
import { bareClient } from '../../support/db/bare-client.ts';
import { type BarePayment, insertBareOperation, insertBarePayment } from '../../support/db/bare-rows.ts';

const CHECK_VIOLATION = { code: '23514' };
const UNIQUE_VIOLATION = { code: '23505' };

const client = await bareClient();

/** Of 100 centavos: what was captured, given back, and reserved to be given back. */
type Amounts = readonly [captured: number, refunded: number, refunding: number];

const UNTOUCHED: Amounts = [0, 0, 0];
const CAPTURED: Amounts = [100, 0, 0];
const IN_PART: Amounts = [100, 40, 0];
const UNDER_WAY: Amounts = [100, 40, 60];
const WHOLE: Amounts = [80, 80, 0];
const ALL = [UNTOUCHED, CAPTURED, IN_PART, UNDER_WAY, WHOLE];

/** Possible amounts of each status. Every other status has none. */
const FIT: Readonly<Record<string, readonly Amounts[]>> = {
  paid: [CAPTURED],
  refund_in_progress: [UNDER_WAY],
  partially_refunded: [IN_PART],
  refunded: [WHOLE],
  chargeback_requested: [CAPTURED, IN_PART, UNDER_WAY, WHOLE],
  chargeback_dispute: [CAPTURED, IN_PART, UNDER_WAY, WHOLE],
  chargeback_lost: [CAPTURED, IN_PART, UNDER_WAY, WHOLE],
};

describe('the database refuses a payment whose amounts do not fit its status', () => {
  for (const status of PAYMENT_STATUSES) {
    test(status, async () => {
      for (const amounts of ALL) {
        const [captured, refunded, refunding] = amounts;
        const payment: BarePayment = { status, captured, refunded, refunding };
        const fits = (FIT[status] ?? [UNTOUCHED]).includes(amounts);
        await client.query('savepoint payment');
        if (fits) await insertBarePayment(client, payment);
        else
          await assert.rejects(insertBarePayment(client, payment), CHECK_VIOLATION, JSON.stringify(payment));
        await client.query('rollback to savepoint payment');
      }
    });
  }

  for (const payment of [
    { status: 'paid', captured: 101 },
    { status: 'refund_in_progress', captured: 80, refunded: 40, refunding: 41 },
    { status: 'refund_in_progress', captured: 80, refunding: -1 },
  ]) {
    test(`not ${JSON.stringify(payment)}`, async () => {
      await assert.rejects(insertBarePayment(client, payment), CHECK_VIOLATION);
    });
  }
});

const CAPTURED_STATUSES = /^(paid|refund|partially|chargeback)/;
/** Refunded and being refunded, where a status has any. */
const REFUNDS: Readonly<Record<string, readonly [number, number]>> = {
  refund_in_progress: [0, 40],
  partially_refunded: [40, 0],
  refunded: [100, 0],
};

describe('the pending operation of a payment fits its status', () => {
  const FITTING: Readonly<Record<string, readonly string[]>> = {
    capture: ['pre_authorized', 'processing'],
    void: ['pre_authorized', 'processing'],
    cancel: ['waiting_payment', 'processing'],
    refund: [],
  };
  for (const [operation, statuses] of Object.entries(FITTING)) {
    test(operation, async () => {
      for (const status of PAYMENT_STATUSES) {
        const captured = CAPTURED_STATUSES.test(status) ? 100 : 0;
        const [refunded, refunding] = REFUNDS[status] ?? [0, 0];
        const columns = { pending_operation: `'${operation}'` };
        const insert = () => insertBarePayment(client, { status, captured, refunded, refunding, columns });
        await client.query('savepoint payment');
        if (statuses.includes(status)) await insert();
        else
          await assert.rejects(insert, {
            ...CHECK_VIOLATION,
            constraint: 'payments_pending_operation_fits_status',
          });
        await client.query('rollback to savepoint payment');
      }
    });
  }
});

describe('the database refuses a second one', () => {
  const operation = (paymentId: string, kind: string, state: 'pending' | 'refused') =>
    insertBareOperation(client, paymentId, { kind, state });

  test('authorization or charge of a payment, whatever the result of the first', async () => {
    const id = await insertBarePayment(client);
    await operation(id, 'authorize', 'refused');
    await client.query('savepoint second');
    for (const kind of ['authorize', 'pix_charge']) {
      await assert.rejects(operation(id, kind, 'pending'), UNIQUE_VIOLATION);
      await client.query('rollback to savepoint second');
    }
    await operation(await insertBarePayment(client), 'authorize', 'pending');
  });

  test('open capture or cancellation of a payment, and allows another after its end', async () => {
    const id = await insertBarePayment(client, { status: 'pre_authorized' });
    await operation(id, 'capture', 'refused');
    await operation(id, 'capture', 'pending');
    await assert.rejects(operation(id, 'cancel', 'pending'), UNIQUE_VIOLATION);
  });

  test('payment with a txid', async () => {
    await insertBarePayment(client, { txid: 'a'.repeat(32) });
    await assert.rejects(insertBarePayment(client, { txid: 'a'.repeat(32) }), UNIQUE_VIOLATION);
  });
});

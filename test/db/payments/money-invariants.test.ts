import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bareClient } from '../../support/db/bare-client.ts';
import {
  type BareOperation,
  type BarePayment,
  insertBareOperation,
  insertBarePayment,
  insertBareRefund,
} from '../../support/db/bare-rows.ts';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

const client = await bareClient();

/** Fails unless the database refuses `work` by this constraint, or by a rule of this kind. */
async function refuses(by: string, work: () => Promise<unknown>): Promise<void> {
  await client.query('savepoint before');
  await assert.rejects(work, (error: { code?: string; constraint?: string }) => {
    assert.equal(/^\d+$/.test(by) ? error.code : error.constraint, by);
    return true;
  });
  await client.query('rollback to savepoint before');
}

const set = (table: string, id: string, assignment: string) => () =>
  client.query(`update ${table} set ${assignment} where id = $1`, [id]);

describe('a payment', () => {
  const CARD = `jsonb_build_object('cardId', d.id, 'brand', d.brand, 'first6', d.first_6, 'last4', d.last_4)`;
  const PIX = `jsonb_build_object('txid', 'a', 'expiresAt', now())`;
  const without = (field: string) => `${CARD} - '${field}'`;
  const WRONG: readonly [string, BarePayment][] = [
    ['payments_currency_known', { columns: { currency: `'USD'` } }],
    ['payments_belong_to_one', { columns: { order_id: 'null' } }],
    ['payments_method_has_details', { columns: { details: without('cardId') } }],
    ['payments_method_has_details', { columns: { details: without('last4') } }],
    ['payments_method_has_details', { columns: { method: `'debit_card'`, details: without('cardId') } }],
    ['payments_method_has_details', { columns: { details: `${CARD} || '{"txid": "a"}'` } }],
    ['payments_method_has_details', { txid: 'a', columns: { details: `'{"txid": "a"}'` } }],
    [
      'payments_method_has_details',
      { txid: 'a', columns: { details: `jsonb_build_object('expiresAt', now())` } },
    ],
    ['payments_method_has_details', { txid: 'a', columns: { details: `${CARD} || ${PIX}` } }],
    ['payments_method_has_details', { columns: { method: `'bank_slip'`, details: `'{}'` } }],
    ['payments_method_has_details', { columns: { method: `'bank_slip'` } }],
    [
      FOREIGN_KEY_VIOLATION,
      { columns: { details: `${CARD} || jsonb_build_object('cardId', gen_random_uuid())` } },
    ],
    [
      'payments_refused_has_reason',
      {
        status: 'refused',
        columns: { refusal_code: 'null', refusal_message: 'null', refusal_retryable: 'null' },
      },
    ],
    ['payments_refused_has_reason', { status: 'refused', columns: { refusal_message: 'null' } }],
    ['payments_refused_has_reason', { columns: { refusal_code: `'fraud'` } }],
    ['payments_history_ends_with_status', { columns: { history: `'[]'` } }],
    ['payments_history_ends_with_status', { columns: { history: `'[{"status": "paid"}]'` } }],
  ];
  for (const [constraint, payment] of WRONG) {
    test(`${constraint}: not ${JSON.stringify(payment)}`, () =>
      refuses(constraint, () => insertBarePayment(client, payment)));
  }

  test('is paid by card or by Pix', async () => {
    await insertBarePayment(client);
    await insertBarePayment(client, { txid: 'a' });
    await insertBarePayment(client, { status: 'refused' });
  });

  test('does not change its status without a row of its history, nor its amount while it has operations', async () => {
    const id = await insertBarePayment(client);
    await refuses('payments_history_ends_with_status', set('payments', id, `status = 'canceled'`));
    await insertBareOperation(client, id, { kind: 'authorize' });
    await refuses('payment_operations_of_payment_and_amount', set('payments', id, 'amount_centavos = 200'));
  });
});

describe('an operation', () => {
  const WRONG: readonly [string, BareOperation][] = [
    ['payment_operations_amount_fits', { kind: 'capture', amount: 101 }],
    ['payment_operations_amount_fits', { kind: 'authorize', amount: 101 }],
    ['payment_operations_amount_fits', { kind: 'authorize', amount: 99 }],
    ['payment_operations_amount_fits', { kind: 'pix_charge', amount: 99 }],
    ['payment_operations_amount_fits', { kind: 'cancel', amount: 99 }],
    [
      'payment_operations_of_payment_and_amount',
      { kind: 'capture', amount: 150, columns: { payment_amount_centavos: '200' } },
    ],
    [
      'payment_operations_refused_has_reason',
      { kind: 'capture', state: 'refused', columns: { refusal_code: 'null' } },
    ],
    ['payment_operations_refused_has_reason', { kind: 'capture', columns: { refusal_code: `'fraud'` } }],
  ];
  for (const [constraint, operation] of WRONG) {
    test(`${constraint}: not ${JSON.stringify(operation)}`, async () => {
      const id = await insertBarePayment(client);
      await refuses(constraint, () => insertBareOperation(client, id, operation));
    });
  }

  test('may have a part of the amount of its payment', async () => {
    const id = await insertBarePayment(client);
    await insertBareOperation(client, id, { kind: 'capture', amount: 99 });
  });

  for (const [first, second] of [
    ['capture', 'capture'],
    ['cancel', 'cancel'],
    ['capture', 'cancel'],
    ['cancel', 'capture'],
  ] as const) {
    test(`that succeeded excludes a ${second} after a ${first}`, async () => {
      const id = await insertBarePayment(client);
      await insertBareOperation(client, id, { kind: 'capture', state: 'refused' });
      await insertBareOperation(client, id, { kind: first, state: 'approved' });
      await refuses('payment_operations_one_end', () =>
        insertBareOperation(client, id, { kind: second, state: 'approved' }),
      );
      await insertBareOperation(client, await insertBarePayment(client), { kind: second, state: 'approved' });
    });
  }

  test('of a refund has a refund of its payment, with its id and amount', async () => {
    const [one, other] = [await insertBarePayment(client), await insertBarePayment(client)];
    const refundId = await insertBareRefund(client, one, 60);
    const about = (id: string) => ({ id: `'${id}'`, refund_id: `'${id}'` });
    const unknown = '01a1ff1f-49b8-74d4-b96f-58da6d4a8512';
    const refund = (columns: BareOperation['columns'], amount: number) =>
      ({ kind: 'refund', amount, columns: columns! }) as const;
    for (const [paymentId, operation] of [
      [one, refund(about(unknown), 60)],
      [other, refund(about(refundId), 60)],
      [one, refund(about(refundId), 59)],
    ] as const) {
      await refuses('payment_operations_of_refund', () => insertBareOperation(client, paymentId, operation));
    }
    await refuses('payment_operations_refund_id', () =>
      insertBareOperation(client, one, refund({ refund_id: `'${refundId}'` }, 60)),
    );
    await insertBareOperation(client, one, refund(about(refundId), 60));
    await refuses(FOREIGN_KEY_VIOLATION, set('refunds', refundId, 'amount_centavos = 61'));
  });
});

describe('a denied refund', () => {
  test('has a denial reason', async () => {
    const id = await insertBareRefund(client, await insertBarePayment(client));
    const denied = `status = 'denied', denial_code = 'x'`;
    await refuses('refunds_denied_has_reason', set('refunds', id, denied));
    await set('refunds', id, `${denied}, denial_message = 'No.'`)();
  });

  test('is the only refund with a denial reason', async () => {
    const id = await insertBareRefund(client, await insertBarePayment(client));
    const reason = `denial_code = 'x', denial_message = 'No.'`;
    await refuses('refunds_denied_has_reason', set('refunds', id, reason));
    await refuses('refunds_denied_has_reason', set('refunds', id, `status = 'succeeded', ${reason}`));
  });
});

describe('a final row does not change', () => {
  /** A result of an operation, as the settlement writes it. */
  const result = (operationId: string, state: string, refundStatus: string | null = null) =>
    client.query(
      `insert into payment_operation_results (slot, merchant_id, operation_id, state, refund_status, refusal_code,
                                              settled_at)
       select slot, merchant_id, id, $2, $3, case $2 when 'refused' then 'do_not_honor' end, now()
         from payment_operations where id = $1`,
      [operationId, state, refundStatus],
    );
  const approve = `state = 'approved', check_at = null, settled_at = now(), refusal_code = null`;
  const refuse = `state = 'refused', check_at = null, settled_at = now(), refusal_code = 'do_not_honor'`;
  const reopen = `state = 'pending', check_at = now(), settled_at = null, refusal_code = null`;

  for (const [state, settle, others] of [
    ['approved', approve, [refuse, reopen]],
    ['refused', refuse, [approve, reopen]],
  ] as const) {
    test(`an operation that was ${state}`, async () => {
      const id = await insertBareOperation(client, await insertBarePayment(client), { kind: 'capture' });
      await refuses(FOREIGN_KEY_VIOLATION, () => result(id, state));
      await set('payment_operations', id, settle)();
      await result(id, state);
      for (const other of others) await refuses(FOREIGN_KEY_VIOLATION, set('payment_operations', id, other));
      await refuses(UNIQUE_VIOLATION, () => result(id, state));
      await refuses(FOREIGN_KEY_VIOLATION, () =>
        client.query('delete from payment_operations where id = $1', [id]),
      );
    });
  }

  for (const [status, settle, others] of [
    ['succeeded', approve, ['in_progress', 'denied']],
    ['denied', refuse, ['in_progress', 'succeeded']],
  ] as const) {
    test(`a refund that ${status === 'denied' ? 'was' : 'has'} ${status}`, async () => {
      const paymentId = await insertBarePayment(client);
      const id = await insertBareRefund(client, paymentId);
      const columns = { id: `'${id}'`, refund_id: `'${id}'` };
      await insertBareOperation(client, paymentId, { kind: 'refund', columns });
      await set('payment_operations', id, settle)();
      const state = status === 'succeeded' ? 'approved' : 'refused';
      for (const wrong of others) await refuses('23514', () => result(id, state, wrong));
      await result(id, state, status);
      const now = (to: string) => async () => {
        const text = to === 'denied' ? `'x'` : 'null';
        const reason = `denial_code = ${text}, denial_message = ${text}`;
        await client.query(`update refunds set status = $2, ${reason} where id = $1`, [id, to]);
        await client.query('set constraints all immediate');
      };
      // The key waits for the end of the transaction, in which the refund follows its operation.
      await refuses(FOREIGN_KEY_VIOLATION, now('in_progress'));
      await now(status)();
      for (const other of others) await refuses(FOREIGN_KEY_VIOLATION, now(other));
    });
  }
});

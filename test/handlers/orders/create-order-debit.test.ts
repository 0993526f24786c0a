import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, type CardOrder, statusesOf } from '../../support/shop.ts';

const { shop } = await sharedShop();

/** The body of an order by debit card, for a new customer with a new card. */
async function debitOrder(wanted: CardOrder = {}, payment: object = {}, block: object = {}): Promise<Json> {
  const { payment: byCard, ...order } = await shop.cardOrderBody(wanted);
  const { credit_card, amount } = byCard;
  const debit_card = { ...credit_card, ...block };
  return { ...order, payment: { amount, payment_method: 'debit_card', debit_card, ...payment } };
}

describe('201 by debit card', () => {
  test('is authorized and captured at once', async () => {
    const { status, payment } = await shop.placed(await debitOrder({ amount: 8_990 }));
    assert.deepEqual([status, payment.status], ['paid', 'paid']);
    assert.deepEqual(statusesOf(payment), ['processing', 'AUTHORIZED', 'paid']);
    assert.deepEqual(
      [payment.payment_method, payment.installments, payment.captured_amount, payment.credit_card],
      ['debit_card', 1, 8_990, undefined],
    );
    const { brand, first_6, last_4, authorization_code } = payment.debit_card;
    assert.deepEqual([brand, first_6, last_4], ['visa', '424242', '4242']);
    assert.match(authorization_code, /^\d{6}$/);
    assert.deepEqual(await shop.eventNames(payment.id), [
      'payment.created',
      'payment.authorized',
      'payment.updated',
    ]);
  });

  test('is refused by a test card like a credit card', async () => {
    const { status, payment } = await shop.placed(await debitOrder({ number: '4000000000009995' }));
    assert.deepEqual([status, payment.status], ['refused', 'refused']);
    assert.equal(payment.refusal.code, 'insufficient_funds');
    assert.equal(payment.captured_amount, 0);
  });

  test('is refunded in parts and found in the list', async () => {
    const { payment } = await shop.placed(await debitOrder({ amount: 5_000 }));
    assert.equal((await shop.refund(payment.id, 2_000)).body.status, 'succeeded');
    assert.equal((await shop.refund(payment.id)).body.amount, 3_000);
    assert.equal((await shop.payment(payment.id)).status, 'refunded');
    const query = `customer_id=${payment.customer_id}&payment_method=debit_card`;
    assert.deepEqual(
      (await shop.get(`/payments?${query}`)).data.map(({ id }: Json) => id),
      [payment.id],
    );
  });

  test('cannot be captured or canceled, and can be disputed', async () => {
    const { payment } = await shop.placed(await debitOrder());
    assertRefused(await shop.capture(payment.id), 'status');
    assertRefused(await shop.cancel(payment.id), 'status');
    await shop.simulate(payment.id, 'chargeback_requested');
    assert.equal((await shop.payment(payment.id)).status, 'chargeback_requested');
  });
});

describe('422 by debit card', () => {
  const CASES: readonly [what: string, body: () => Promise<Json>, ...paths: string[]][] = [
    ['installments', () => debitOrder({}, { installments: 2 }), 'payment.installments'],
    [
      'a later capture, which only a credit card has',
      () => debitOrder({}, {}, { capture: false }),
      'payment.debit_card.capture',
    ],
    ['no block', () => debitOrder({}, { debit_card: undefined }), 'payment.debit_card'],
    ['the object of Pix in addition to its own', () => debitOrder({}, { pix: {} }), 'payment.pix'],
    [
      'the block of a credit card instead of its own',
      async () => {
        const { payment, ...order } = await debitOrder();
        const { debit_card: credit_card, ...rest } = payment;
        return { ...order, payment: { ...rest, credit_card } };
      },
      'payment.debit_card',
      'payment.credit_card',
    ],
    [
      'a card of another customer',
      async () => ({ ...(await debitOrder()), customer: { id: await shop.customer() } }),
      'payment.debit_card.id',
    ],
  ];
  for (const [what, body, ...paths] of CASES) {
    test(what, async () => assertRefused(await shop.order(await body()), ...paths));
  }
});

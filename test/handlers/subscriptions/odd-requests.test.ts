/** Requests at the limits: odd dates, odd prices, keys and previews that are used twice, objects that have gone. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { companyBody } from '../../support/orders/parties.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import {
  changeNow,
  changePlan,
  figures,
  offerOf,
  paymentsOf,
  previewPlan,
} from '../../support/subscriptions/plan-change-calls.ts';
import {
  invoices,
  subscribe,
  subscribed,
  subscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const MASTERCARD = '5555555555554444';
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
/** Moves the clock by years, as long as one request allows at a time. */
async function advanceYears(years: number): Promise<void> {
  for (let left = years; left > 0; left -= 5) {
    const days = Math.min(left, 5) * 365;
    const { status, text } = await shop.post('/sandbox/clock/advance', { days });
    assert.ok(status === 200 || status === 202, text);
  }
}
const nextLeapYear = () => {
  const year = new Date().getUTCFullYear() + 1;
  return year + ((4 - (year % 4)) % 4);
};
const billingDates = async (id: string) => (await invoices(shop, id)).map(({ billing_date }) => billing_date);

describe('a start_at', () => {
  for (const start_at of [
    '0001-01-01',
    '2020-02-29',
    '2027-02-29',
    '9999-12-31',
    '9999-12-31T23:59:59Z',
    '2026-13-01',
  ]) {
    test(`of ${start_at} is refused`, async () => {
      assertRefused(await subscribe(shop, await subscriptionBody(shop, { start_at })), 'start_at');
    });
  }

  test('on 29 February charges a yearly subscription on 28 February, and on the 29th of leap years', async () => {
    const year = nextLeapYear();
    const start_at = `${year}-02-29`;
    const { id } = await subscribed(shop, { start_at, interval: 'yearly' });
    await advanceYears(10);
    assert.deepEqual(
      (await billingDates(id)).slice(0, 5),
      [0, 1, 2, 3, 4].map((count) => `${year + count}-02-${count % 4 === 0 ? 29 : 28}`),
    );
    await assertAcquirerAgrees(service, shop.account);
  });

  test('can be combined with a trial and a best_charge_day: the day counts from the second charge on', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const { id, next_charge_at } = await subscribed(shop, {
      start_at: `${year}-01-30`,
      trial_days: 1,
      best_charge_day: 31,
    });
    assert.equal(next_charge_at, `${year}-01-31`);
    await shop.post('/sandbox/clock/advance', { to: `${year}-05-01T12:00:00Z` });
    const february = year % 4 === 0 ? 29 : 28;
    assert.deepEqual(await billingDates(id), [
      `${year}-01-31`,
      `${year}-02-${february}`,
      `${year}-03-31`,
      `${year}-04-30`,
    ]);
  });
});

describe('a price', () => {
  test('with more installments than centavos is refused', async () => {
    const { payment, ...body } = await subscriptionBody(shop);
    const inTwelve = (amount: number) =>
      subscribe(shop, { ...body, payment: { ...payment, amount, installments: 12 } });
    const answer = await inTwelve(5);
    assertRefused(answer, 'payment.installments');
    assert.deepEqual(answer.body.errors['payment.installments'], [
      'Each installment is at least 1 centavo: the amount can have at most 5.',
    ]);
    assert.equal((await inTwelve(12)).status, 201);
  });

  test('in a later cycle with fewer centavos than installments has fewer installments', async () => {
    const cycles = [
      { start: 1, end: 1, amount: 0 },
      { start: 2, end: 2, amount: 4_990 },
      { start: 3, end: 3, amount: 5 },
    ];
    const { payment, ...body } = await paidByCard();
    const { id } = await subscribed(shop, {
      interval: undefined,
      offer_id: await offerOf(shop, 1, { cycles }),
      ...body,
      payment: { ...payment, installments: 12 },
    });
    await advanceYears(1);
    assert.deepEqual(
      (await paymentsOf(shop, id)).map(({ amount, installments }) => [amount, installments]),
      [
        [4_990, 12],
        [5, 5],
      ],
    );
    await assertAcquirerAgrees(service, shop.account);
  });

  test('of which a split takes all leaves nothing after a credit, and the ledger agrees', async () => {
    const recipient = await created(shop.post('/recipients', companyBody()));
    const { payment, ...body } = await subscriptionBody(shop);
    const split = [{ recipient_id: recipient.id, type: 'fixed', amount: 4_990 }];
    const { id } = await created(subscribe(shop, { ...body, payment: { ...payment, split } }));
    await changeNow(shop, id, await offerOf(shop, 4_989));
    await shop.post('/sandbox/clock/advance', { days: 32 });
    assert.deepEqual(
      (await paymentsOf(shop, id)).map(({ amount }) => amount),
      [4_990, 4_988],
    );
    await assertAcquirerAgrees(service, shop.account);
  });

  test('can have 50 bands, not 51, and each cycle has that of its band', async () => {
    const bands = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ start: at + 1, end: at + 1, amount: 100 + at }));
    const product = await created(shop.post('/products', { name: 'Clube' }));
    const offer = { type: 'recurring', name: 'Degraus', interval: 'monthly', cycles: bands(51) };
    assert.equal((await shop.post(`/products/${product.id}/offers`, offer)).status, 422);
    const { id } = await subscribed(shop, {
      interval: undefined,
      offer_id: await offerOf(shop, 1, { cycles: bands(50) }),
      ...(await paidByCard()),
    });
    await advanceYears(5);
    assert.deepEqual(
      (await paymentsOf(shop, id)).map(({ amount }) => amount),
      bands(50).map(({ amount }) => amount),
    );
    assert.equal((await read(id)).status, 'completed');
  });

  /** A customer and a payment without an amount. */
  async function paidByCard() {
    const { customer, payment } = await subscriptionBody(shop);
    const { amount: _, ...rest } = payment;
    return { customer, payment: rest };
  }
});

test('a credit that is larger than all cycles that follow pays them, and the rest stays', async () => {
  const { payment, ...body } = await subscriptionBody(shop);
  const { id } = await created(subscribe(shop, { ...body, payment: { ...payment, amount: 1_000_000 } }));
  const short = await offerOf(shop, 1, { cycles: [{ start: 1, end: 4, amount: 100 }] });
  const { delta } = await changeNow(shop, id, short);
  assert.equal(delta, -999_900);
  await shop.post('/sandbox/clock/advance', { days: 150 });
  const { status, credit_balance, successful_charges } = await read(id);
  assert.deepEqual([status, credit_balance, successful_charges], ['completed', 999_900 - 300, 4]);
  assert.equal((await paymentsOf(shop, id)).length, 1);
  await assertAcquirerAgrees(service, shop.account);
});

test('an Idempotency-Key of one operation cannot be used for another, and nothing changes', async () => {
  const { id } = await subscribed(shop);
  const offer_id = await offerOf(shop, 9_990);
  const key = 'one-key-for-everything';
  assert.equal((await changePlan(shop, id, { offer_id, effective: 'immediate' }, key)).status, 200);
  const before = await read(id);
  for (const [path, body] of [
    ['/subscriptions/cancel', { id }],
    [`/subscriptions/${id}/reactivate`, undefined],
    [`/subscriptions/${id}/change-plan`, { offer_id, effective: 'next_cycle' }],
    [`/subscriptions/${id}/change-plan/preview`, { offer_id }],
    ['/charges/subscriptions', await subscriptionBody(shop)],
  ] as const) {
    const { status, body: answer, text } = await shop.post(path, body, key);
    assert.equal(status, 422, text);
    assert.equal(answer.error.code, 'idempotency_key_reused', path);
  }
  assert.deepEqual(await read(id), before);
  const again = await changePlan(shop, id, { offer_id, effective: 'immediate' }, key);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal((await paymentsOf(shop, id)).length, 2);
});

describe('a preview', () => {
  test('cannot be used twice, because its figures no longer hold', async () => {
    for (const effective of ['immediate', 'next_cycle']) {
      const { id } = await subscribed(shop);
      const offer_id = await offerOf(shop, 9_990);
      const { preview_id } = await figures(previewPlan(shop, id, { offer_id, effective }));
      const change = () => changePlan(shop, id, { offer_id, effective, preview_id });
      assert.equal((await change()).status, 200);
      const { status, body } = await change();
      assert.deepEqual([status, body.error.code], [409, 'preview_not_valid']);
    }
  });

  test('does not allow what has become impossible since', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    const { preview_id } = await figures(previewPlan(shop, id, { offer_id }));
    await shop.post(`/product-offers/${offer_id}/archive`);
    assertRefused(await changePlan(shop, id, { offer_id, preview_id }), 'offer_id');
    await shop.post('/subscriptions/cancel', { id });
    await shop.post(`/product-offers/${offer_id}/restore`);
    assertRefused(await changePlan(shop, id, { offer_id, preview_id }), 'status');
  });
});

test('a merchant who is suspended in the middle can neither change nor charge anything', async () => {
  const { id, customer_id } = await subscribed(shop);
  const offer_id = await offerOf(shop, 9_990);
  const card = {
    payment_method: 'credit_card',
    credit_card: { id: await shop.card(customer_id, MASTERCARD) },
  };
  const another = await subscriptionBody(shop);
  await shop.suspend();
  for (const answer of [
    await changePlan(shop, id, { offer_id, effective: 'immediate' }),
    await previewPlan(shop, id, { offer_id }),
    await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body: card }),
    await subscribe(shop, another),
  ]) {
    assert.equal(answer.status, 403, answer.text);
  }
  const { payment, card_id } = await read(id);
  assert.deepEqual([payment.amount, card_id === card.credit_card.id], [4_990, false]);
});

for (const status of ['pending', 'blocked', 'reproved']) {
  test(`an archived offer and a recipient who is ${status} change neither the charges nor the shares agreed`, async () => {
    const recipient = await created(shop.post('/recipients', companyBody()));
    const offer_id = await offerOf(shop, 4_990);
    const { payment, ...body } = await subscriptionBody(shop);
    const split = [{ recipient_id: recipient.id, type: 'percentage', amount: 50 }];
    const { id } = await created(
      subscribe(shop, { ...body, interval: undefined, offer_id, payment: { ...payment, split } }),
    );
    await shop.post(`/product-offers/${offer_id}/archive`);
    const changed = await shop.call('PUT', `/recipients/${recipient.id}`, { body: { status } });
    assert.deepEqual([changed.status, changed.body.status], [200, status], changed.text);
    await shop.post('/sandbox/clock/advance', { days: 32 });
    assert.equal((await read(id)).successful_charges, 2);

    const [, second] = await paymentsOf(shop, id);
    assert.deepEqual(
      second!.split.map(({ recipient_id, share_amount }: Json) => [recipient_id, share_amount]),
      [[recipient.id, 2_495]],
    );
    const { fee_amount, merchant_amount } = second!;
    assert.equal(merchant_amount, 2_495);
    const total = ({ available, pending }: Json) => available + pending;
    assert.equal(total(await shop.get(`/recipients/${recipient.id}/balance`)), 2 * 2_495);
    assert.equal(total(await shop.get('/balance')), 2 * (2_495 - fee_amount));
    await assertAcquirerAgrees(service, shop.account);
  });
}

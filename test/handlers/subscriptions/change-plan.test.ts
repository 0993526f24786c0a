import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import {
  changeNow,
  changePlan,
  figures,
  offerOf,
  paymentsOf,
  script,
} from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, NO_FUNDS, story, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const today = () => merchantDay(new Date());
const inMonths = (count: number) => billingDate({ start: today(), interval: 'monthly' }, count);
const nextCycle = (id: string, offer_id: string) => figures(changePlan(shop, id, { offer_id }));

/** The cycles of a subscription after the first: billing date, price, credit, and the amounts of its payments. */
async function laterCycles(id: string) {
  return (await invoices(shop, id))
    .slice(1)
    .map(({ billing_date, amount, credit_applied, payments }) => [
      billing_date,
      amount,
      credit_applied,
      ...payments.map((payment: Json) => payment.amount),
    ]);
}

describe('a change with the next cycle', () => {
  test('charges nothing now, and the new price at the renewal', async () => {
    const { id, code } = await subscribed(shop);
    const offer = await offerOf(shop, 7_990);
    const before = (await story(shop)).length;
    assert.deepEqual(await nextCycle(code, offer), {
      id,
      plan_id: offer,
      effective: 'next_cycle',
      delta: 3_000,
      next_charge_at: inMonths(1),
      next_charge_amount: 7_990,
      interval: 'monthly',
      proration_payment_id: null,
    });
    const waiting = await read(id);
    assert.deepEqual([waiting.offer_id, waiting.pending_plan.offer_id], [null, offer]);
    assert.deepEqual((await story(shop)).slice(before), [
      'subscription.plan_changed active',
      'subscription.updated active',
    ]);
    await advanceTo(inMonths(1));
    const renewed = await read(id);
    assert.deepEqual([renewed.offer_id, renewed.pending_plan], [offer, null]);
    assert.deepEqual(await laterCycles(id), [[inMonths(1), 7_990, 0, 7_990]]);
    assert.equal((await story(shop))[before + 2], 'subscription.updated active');
  });

  test('to another interval moves the renewals after the next one', async () => {
    const { id } = await subscribed(shop);
    const { delta, interval } = await nextCycle(id, await offerOf(shop, 12_000, { interval: 'quarterly' }));
    assert.deepEqual([delta, interval], [7_010, 'quarterly']);
    await advanceTo(inMonths(7));
    assert.deepEqual(
      (await laterCycles(id)).map(([day]) => day),
      [inMonths(1), inMonths(4), inMonths(7)],
    );
  });

  test('continues with the next number of the cycle on the new ladder', async () => {
    const { id } = await subscribed(shop);
    const cycles = [
      { start: 1, end: 1, amount: 100 },
      { start: 2, end: null, amount: 900 },
    ];
    assert.equal((await nextCycle(id, await offerOf(shop, 1, { cycles }))).next_charge_amount, 900);
  });

  test('of a past due subscription does not change the price of the overdue cycle', async () => {
    const { id, card_id } = await subscribed(shop);
    await script(shop, card_id, 'insufficient_funds');
    await advanceTo(inMonths(1));
    assert.equal((await read(id)).status, 'past_due');
    assert.equal((await nextCycle(id, await offerOf(shop, 7_990))).next_charge_at, inMonths(2));
    await advanceTo(inMonths(2));
    assert.deepEqual(await laterCycles(id), [
      [inMonths(1), 4_990, 0, 4_990, 4_990],
      [inMonths(2), 7_990, 0, 7_990],
    ]);
  });
});

describe('an upgrade at once', () => {
  test('charges the difference for the rest of the cycle, and leaves the cycle as it is', async () => {
    const { id } = await subscribed(shop);
    const offer = await offerOf(shop, 9_990);
    const [before, cycles] = [(await story(shop)).length, await invoices(shop, id)];
    const { proration_payment_id, ...changed } = await changeNow(shop, id, offer);
    assert.deepEqual(changed, {
      id,
      plan_id: offer,
      effective: 'immediate',
      delta: 5_000,
      next_charge_at: inMonths(1),
      next_charge_amount: 9_990,
      interval: 'monthly',
    });
    const subscription = await read(id);
    assert.deepEqual(
      [subscription.offer_id, subscription.payment.id, subscription.successful_charges],
      [offer, proration_payment_id, 1],
    );
    const { payment } = subscription;
    assert.deepEqual(
      [payment.status, payment.amount, payment.captured_amount, payment.installments, payment.billing_date],
      ['paid', 5_000, 5_000, 1, null],
    );
    assert.deepEqual(await invoices(shop, id), cycles);
    assert.deepEqual((await story(shop)).slice(before), [
      'payment.created processing',
      'payment.authorized AUTHORIZED',
      'payment.updated paid',
      'subscription.plan_changed active',
      'subscription.updated active',
    ]);
    await advanceTo(inMonths(1));
    assert.deepEqual(await laterCycles(id), [[inMonths(1), 9_990, 0, 9_990]]);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('on the last day of a cycle charges one day', async () => {
    const { id } = await subscribed(shop);
    await advanceTo(addDays(inMonths(1), -1), '23:00');
    const days = (Date.parse(inMonths(1)) - Date.parse(today())) / 86_400_000;
    const { delta, next_charge_at } = await changeNow(shop, id, await offerOf(shop, 4_990 + 100 * days));
    assert.deepEqual([delta, next_charge_at], [100, inMonths(1)]);
  });

  test('that is refused leaves the subscription exactly as it was', async () => {
    const { id, card_id } = await subscribed(shop);
    const offer = await offerOf(shop, 9_990);
    await script(shop, card_id, 'insufficient_funds');
    const [record, cycles, events] = [await read(id), await invoices(shop, id), (await story(shop)).length];
    const body = { offer_id: offer, effective: 'immediate' };
    const refused = await changePlan(shop, id, body, 'first');
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.body.errors, {
      payment: ['The charge of the difference was refused (insufficient_funds). The plan has not changed.'],
    });
    assert.deepEqual([await read(id), await invoices(shop, id)], [record, cycles]);
    assert.deepEqual((await story(shop)).slice(events), [
      'payment.created processing',
      'payment.refused refused',
    ]);
    assert.equal((await changePlan(shop, id, body, 'first')).text, refused.text);
    assert.equal((await changePlan(shop, id, body, 'second')).status, 200);
    assert.deepEqual(
      (await paymentsOf(shop, id)).map(({ status, amount }) => `${status} ${amount}`),
      ['paid 4990', 'refused 5000', 'paid 5000'],
    );
  });

  test('costs nothing in a trial', async () => {
    const { id } = await subscribed(shop, { trial_days: 14 });
    const { delta, proration_payment_id } = await changeNow(shop, id, await offerOf(shop, 9_990));
    assert.deepEqual([delta, proration_payment_id], [0, null]);
    await advanceTo(addDays(today(), 14));
    assert.equal((await invoices(shop, id))[0]!.amount, 9_990);
  });

  test('keeps its payment when the subscription is renewed, and a refund of it does not end the subscription', async () => {
    const { id } = await subscribed(shop);
    const { proration_payment_id } = await changeNow(shop, id, await offerOf(shop, 9_990));
    await created(shop.post(`/payments/${proration_payment_id}/refunds`));
    assert.equal((await read(id)).status, 'active');
  });
});

describe('a downgrade at once', () => {
  test('gives a credit, which pays as many cycles as it can', async () => {
    const { id } = await subscribed(shop);
    assert.equal((await changeNow(shop, id, await offerOf(shop, 2_000))).delta, -2_990);
    assert.equal((await read(id)).credit_balance, 2_990);
    await advanceTo(inMonths(3));
    assert.deepEqual(await laterCycles(id), [
      [inMonths(1), 2_000, 2_000],
      [inMonths(2), 2_000, 990, 1_010],
      [inMonths(3), 2_000, 0, 2_000],
    ]);
    assert.equal((await read(id)).credit_balance, 0);
  });

  test('after an upgrade in the same cycle credits what the upgrade has charged', async () => {
    const { id } = await subscribed(shop);
    const deltas: number[] = [];
    for (const price of [9_990, 19_990, 4_990]) {
      deltas.push((await changeNow(shop, id, await offerOf(shop, price))).delta);
    }
    assert.deepEqual(deltas, [5_000, 10_000, -15_000]);
    assert.equal((await read(id)).credit_balance, 15_000);
  });

  test('across intervals compares the prices for the present one', async () => {
    const { id } = await subscribed(shop);
    const offer = await offerOf(shop, 36_000, { interval: 'yearly' });
    const { delta, next_charge_at, next_charge_amount } = await changeNow(shop, id, offer);
    assert.deepEqual([delta, next_charge_at, next_charge_amount], [-1_990, inMonths(1), 36_000]);
    await advanceTo(inMonths(13));
    assert.deepEqual(
      (await laterCycles(id)).map(([day, amount, credit]) => [day, amount, credit]),
      [
        [inMonths(1), 36_000, 1_990],
        [inMonths(13), 36_000, 0],
      ],
    );
  });
});

test('the same plan again charges nothing', async () => {
  const { id } = await subscribed(shop);
  const offer = await offerOf(shop, 9_990);
  await changeNow(shop, id, offer);
  assert.equal((await changeNow(shop, id, offer)).delta, 0);
  assert.equal((await paymentsOf(shop, id)).length, 2);
});

test('a card whose first charge was refused can be given a plan for the next cycle', async () => {
  const { id } = await subscribed(shop, {}, NO_FUNDS);
  assert.equal((await nextCycle(id, await offerOf(shop, 9_990))).delta, 5_000);
});

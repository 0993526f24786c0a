/** Another plan that begins with a new mandate, which the payer has to authorize. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import { cancelMandates } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import {
  authorize,
  authorized,
  changedToPix,
  mandateStates,
  pixBody,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { changePlan, offerOf, previewPlan, script } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, story, subscribe, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const today = () => merchantDay(new Date());
const FIXED = { terms: { recurring_amount: 4_990 } };

/** Asks for a mandate of this fixed amount, with which the plan of the offer begins. */
const askForPlan = (id: string, offer_id: string, recurring_amount: number) =>
  changedToPix(shop, id, { recurring_amount }, { offer_id });

const planOf = ({ interval, ladder }: Json) => ({ interval, price: ladder[0].amount });

/** The amounts of the paid invoices, oldest first. */
const paid = async (id: string) =>
  (await invoices(shop, id)).filter(({ status }) => status === 'paid').map(({ amount }) => amount);

describe('a new mandate for another plan', () => {
  test('changes a weekly plan to a monthly one', async () => {
    const { id } = await authorized(shop, { interval: 'weekly' }, FIXED);
    const offer_id = await offerOf(shop, 9_990);
    const asking = await askForPlan(id, offer_id, 9_990);
    assert.deepEqual(planOf(asking), { interval: 'weekly', price: 4_990 });
    assert.deepEqual([asking.pending_plan, asking.payment.status], [null, 'scheduled']);
    assert.equal(asking.requested_plan.offer_id, offer_id);
    assert.deepEqual(planOf(asking.requested_plan), { interval: 'monthly', price: 9_990 });
    const before = (await story(shop)).length;
    const changed = await authorize(shop, id);
    assert.deepEqual([changed.offer_id, planOf(changed).interval], [null, 'weekly']);
    assert.equal(changed.pending_plan.offer_id, offer_id);
    assert.deepEqual(planOf(changed.pending_plan), { interval: 'monthly', price: 9_990 });
    assert.equal(changed.requested_plan, null);
    assert.deepEqual([changed.next_charge_at, changed.next_charge_amount], [addDays(today(), 7), 9_990]);
    assert.deepEqual((await story(shop)).slice(before), [
      'payment.authorized AUTHORIZED',
      'subscription.updated payment_approved',
      'subscription.plan_changed payment_approved',
      'subscription.updated payment_approved',
    ]);
    await advanceTo(addDays(today(), 7));
    const renewed = await read(id);
    assert.deepEqual([renewed.status, renewed.offer_id], ['payment_approved', offer_id]);
    assert.deepEqual([renewed.pending_plan, planOf(renewed).interval], [null, 'monthly']);
    const next = billingDate({ start: addDays(today(), 7), interval: 'monthly' }, 1);
    assert.equal(renewed.next_charge_at, next);
    await advanceTo(next);
    assert.deepEqual(await paid(id), [4_990, 9_990, 9_990]);
    await cancelMandates(service.deps);
    assert.deepEqual(await mandateStates(shop), ['canceled', 'authorized']);
  });

  test('keeps the day of the month that was chosen for a weekly plan', async () => {
    const body = await pixBody(shop, { interval: 'weekly', best_charge_day: 15 }, FIXED);
    const { id } = await created(subscribe(shop, body));
    await authorize(shop, id);
    await askForPlan(id, await offerOf(shop, 9_990), 9_990);
    await authorize(shop, id);
    const next = addDays(today(), 7);
    await advanceTo(next);
    const { next_charge_at } = await read(id);
    assert.equal(next_charge_at, billingDate({ start: next, interval: 'monthly', bestChargeDay: 15 }, 1));
  });

  test('changes to a price or an interval that the present mandate does not allow', async () => {
    for (const fields of [{}, { interval: 'yearly' }]) {
      shop = await Shop.open(service);
      const { id } = await authorized(shop, {}, FIXED);
      const offer_id = await offerOf(shop, 9_990, fields);
      assertRefused(await changePlan(shop, id, { offer_id }), 'offer_id');
      await askForPlan(id, offer_id, 9_990);
      await authorize(shop, id);
      await advanceTo(month(1));
      const { status, interval, payment, next_charge_at } = await read(id);
      assert.deepEqual([status, payment.status, payment.amount], ['payment_approved', 'paid', 9_990]);
      const next =
        fields.interval === undefined ? month(2) : billingDate({ start: today(), interval: 'monthly' }, 13);
      assert.deepEqual([interval, next_charge_at], [fields.interval ?? 'monthly', next]);
    }
  });

  test('changes a subscription by card, which pays by card until then', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    await askForPlan(id, offer_id, 9_990);
    const { payment_method, status, pending_plan } = await authorize(shop, id);
    assert.deepEqual([payment_method, status], ['pix_recurring', 'payment_approved']);
    assert.equal(pending_plan.offer_id, offer_id);
    await advanceTo(month(1));
    assert.deepEqual(await paid(id), [4_990, 9_990]);
  });

  test('changes a subscription by boleto whose boleto is not paid, which keeps its price', async () => {
    const { id, payment } = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
    await shop.simulate(payment.id, 'paid');
    await advanceTo(addDays(month(1), -5));
    const offer_id = await offerOf(shop, 9_990);
    await changedToPix(shop, id, {}, { offer_id });
    await authorize(shop, id);
    await advanceTo(month(2));
    assert.deepEqual(await paid(id), [payment.amount, payment.amount, 9_990]);
    assert.equal((await read(id)).offer_id, offer_id);
  });

  test('changes a subscription with an overdue cycle, which keeps its price', async () => {
    const { id, card_id } = await subscribed(shop);
    await script(shop, card_id, 'insufficient_funds');
    await advanceTo(month(1), '09:00');
    await changedToPix(shop, id, {}, { offer_id: await offerOf(shop, 9_990) });
    assert.equal((await authorize(shop, id)).status, 'past_due');
    await advanceTo(month(2));
    assert.deepEqual(await paid(id), [4_990, 4_990, 9_990]);
  });

  test('changes the plan of a trial', async () => {
    const { id } = await authorized(shop, { trial_days: 7 }, FIXED);
    await askForPlan(id, await offerOf(shop, 9_990), 9_990);
    assert.equal((await authorize(shop, id)).status, 'trial_started');
    await advanceTo(addDays(today(), 7));
    assert.deepEqual(await paid(id), [9_990]);
  });

  test('continues a subscription whose price ladder is over', async () => {
    const ladder = await offerOf(shop, 1, { cycles: [{ start: 1, end: 1, amount: 4_990 }] });
    const { id } = await authorized(shop, { offer_id: ladder }, FIXED);
    assert.equal((await read(id)).next_charge_at, null);
    await askForPlan(id, await offerOf(shop, 9_990), 9_990);
    await authorize(shop, id);
    await advanceTo(month(1));
    assert.deepEqual([(await read(id)).status, await paid(id)], ['payment_approved', [4_990, 9_990]]);
  });

  test('takes the prices of the request, also if the offer is archived meanwhile', async () => {
    const { id } = await authorized(shop, {}, FIXED);
    const offer_id = await offerOf(shop, 9_990);
    await askForPlan(id, offer_id, 9_990);
    await shop.post(`/product-offers/${offer_id}/archive`);
    assert.equal((await authorize(shop, id)).pending_plan.offer_id, offer_id);
  });

  test('replaces a plan that was chosen for the next cycle', async () => {
    const { id } = await authorized(shop);
    const first = await offerOf(shop, 5_990);
    assert.equal((await changePlan(shop, id, { offer_id: first })).status, 200);
    const second = await offerOf(shop, 9_990, { interval: 'yearly' });
    assert.equal((await askForPlan(id, second, 9_990)).pending_plan.offer_id, first);
    assert.equal((await authorize(shop, id)).pending_plan.offer_id, second);
    await advanceTo(month(1));
    assert.deepEqual(await paid(id), [4_990, 9_990]);
  });
});

describe('while another plan waits for its mandate', () => {
  async function waiting(): Promise<Json> {
    const subscription = await authorized(shop, {}, FIXED);
    await askForPlan(subscription.id, await offerOf(shop, 9_990), 9_990);
    return subscription;
  }

  async function assertPlanKept(id: string): Promise<void> {
    const { pending_plan, requested_plan, ladder } = await read(id);
    assert.deepEqual([pending_plan, requested_plan, ladder[0].amount], [null, null, 4_990]);
  }

  test('nothing changes if the QR code expires', async () => {
    const { id } = await waiting();
    await advanceBy(shop, 31 * MINUTE_MS);
    await assertPlanKept(id);
    assert.equal((await story(shop)).at(-1), 'payment.expired expired');
    await advanceTo(month(1));
    assert.deepEqual(await paid(id), [4_990, 4_990]);
  });

  test('nothing changes if the payer refuses the mandate', async () => {
    const { id, customer_id } = await authorized(shop, {}, FIXED);
    const outcomes = [{ operation: 'mandate', outcome: 'AP13' }];
    await created(shop.post('/sandbox/scripts', { customer_id, outcomes }));
    await askForPlan(id, await offerOf(shop, 9_990), 9_990);
    await advanceBy(shop, MINUTE_MS);
    await assertPlanKept(id);
    assert.deepEqual(await mandateStates(shop), ['authorized', 'rejected']);
    const allowed = { offer_id: await offerOf(shop, 4_990) };
    assert.equal((await changePlan(shop, id, allowed)).status, 200);
  });

  test('the plan cannot change in another way', async () => {
    const { id } = await waiting();
    const offer_id = await offerOf(shop, 9_990);
    for (const effective of ['next_cycle', 'immediate']) {
      for (const ask of [changePlan, previewPlan]) {
        const { status, body } = await ask(shop, id, { offer_id, effective });
        assert.deepEqual([status, body.error.code], [409, 'plan_change_in_progress']);
      }
    }
    await authorize(shop, id);
    assert.equal((await changePlan(shop, id, { offer_id })).status, 200);
  });

  test('another offer replaces it', async () => {
    const { id } = await waiting();
    const offer_id = await offerOf(shop, 7_990);
    await askForPlan(id, offer_id, 7_990);
    assert.equal((await authorize(shop, id)).pending_plan.offer_id, offer_id);
    await advanceTo(month(1));
    assert.deepEqual(await paid(id), [4_990, 7_990]);
  });

  test('a mandate for the present plan replaces it', async () => {
    const { id } = await waiting();
    await changedToPix(shop, id, { recurring_amount: 4_990 });
    await authorize(shop, id);
    await assertPlanKept(id);
  });

  test('another payment method replaces it', async () => {
    const { id, customer_id } = await waiting();
    const body = { payment_method: 'credit_card', credit_card: { id: await shop.card(customer_id) } };
    assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
    assertRefused(await shop.post(`/sandbox/subscriptions/${id}/authorize`), 'status');
    await assertPlanKept(id);
    await advanceTo(month(1));
    assert.deepEqual(await paid(id), [4_990, 4_990]);
  });

  test('a cancellation drops it', async () => {
    const { id } = await waiting();
    await shop.post('/subscriptions/cancel', { id });
    assertRefused(await shop.post(`/sandbox/subscriptions/${id}/authorize`), 'status');
    await assertPlanKept(id);
    assert.deepEqual(await mandateStates(shop), ['canceled', 'canceled']);
  });
});

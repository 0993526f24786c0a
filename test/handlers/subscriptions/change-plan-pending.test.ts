import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import {
  changeNow,
  changePlan,
  figures,
  offerOf,
  paymentsOf,
  previewPlan,
  script,
} from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, story, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** The reconciler looks at an operation some seconds after its last answer. */
let ahead_ms = 0;
function settle(later_ms = 5_000): Promise<number> {
  ahead_ms += later_ms;
  return reconcile(service, ahead_ms);
}
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const inMonths = (count: number) =>
  billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);
const statuses = async (id: string) =>
  (await paymentsOf(shop, id)).map(({ status, amount }) => `${status} ${amount}`);

/** An upgrade whose answer from the acquirer is lost. */
async function pending(id: string, offer_id: string, key?: string): Promise<Json> {
  const body = { offer_id, effective: 'immediate' };
  const {
    status,
    body: answer,
    text,
  } = await withLostAnswers(service, () => changePlan(shop, id, body, key));
  assert.equal(status, 202, text);
  return answer.data;
}

describe('an upgrade whose charge has no outcome yet', () => {
  test('is answered with 202, and changes the plan when it is known that the charge was approved', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    const before = await read(id);
    const { proration_payment_id, delta } = await pending(id, offer_id, 'upgrade');
    assert.equal(delta, 5_000);
    const { ladder, interval } = await shop
      .get(`/product-offers/${offer_id}`)
      .then((offer) => ({ interval: offer.interval, ladder: offer.cycles }));
    const requested_plan = { offer_id, interval, ladder };
    assert.deepEqual(await read(id), { ...before, requested_plan });
    assert.deepEqual((await shop.get('/subscriptions')).data[0].requested_plan, requested_plan);
    assert.equal((await shop.payment(proration_payment_id)).status, 'processing');
    const events = (await story(shop)).length;
    assert.equal(await settle(), 1);
    const changed = await read(id);
    assert.deepEqual(
      [changed.offer_id, changed.payment.id, changed.payment.status, changed.requested_plan],
      [offer_id, proration_payment_id, 'paid', null],
    );
    assert.deepEqual((await story(shop)).slice(events), [
      'payment.authorized AUTHORIZED',
      'payment.updated paid',
      'subscription.plan_changed active',
      'subscription.updated active',
    ]);
    const again = await changePlan(shop, id, { offer_id, effective: 'immediate' }, 'upgrade');
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [202, 'true']);
    assert.equal((await changeNow(shop, id, offer_id)).delta, 0);
    assert.deepEqual(await statuses(id), ['paid 4990', 'paid 5000']);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('does not change the plan if the charge was refused', async () => {
    const { id, card_id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    const before = await read(id);
    await script(shop, card_id, 'insufficient_funds');
    await pending(id, offer_id);
    const events = (await story(shop)).length;
    await settle();
    assert.deepEqual(await read(id), before);
    assert.deepEqual((await story(shop)).slice(events), ['payment.refused refused']);
    assert.equal((await changeNow(shop, id, offer_id)).delta, 5_000);
    assert.deepEqual(await statuses(id), ['paid 4990', 'refused 5000', 'paid 5000']);
  });

  test('refuses another change, and a preview', async () => {
    const { id } = await subscribed(shop);
    const [offer_id, other] = [await offerOf(shop, 9_990), await offerOf(shop, 2_000)];
    await pending(id, offer_id);
    for (const ask of [changePlan, previewPlan]) {
      for (const effective of ['next_cycle', 'immediate']) {
        const { status, body, headers } = await ask(shop, id, { offer_id: other, effective });
        assert.deepEqual([status, body.error.code], [409, 'plan_change_in_progress']);
        assert.equal(headers.get('retry-after'), '20');
      }
    }
    await settle();
    assert.equal((await figures(previewPlan(shop, id, { offer_id: other }))).delta, -7_990);
  });

  test('is completed after the renewal, which keeps the price of the old plan', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    const { proration_payment_id } = await pending(id, offer_id);
    await advance(shop, { to: `${inMonths(1)}T06:00:00-03:00` });
    await settle();
    const renewed = await read(id);
    assert.deepEqual([renewed.offer_id, renewed.successful_charges], [offer_id, 2]);
    assert.equal((await shop.payment(proration_payment_id)).status, 'paid');
    await advance(shop, { to: `${inMonths(2)}T06:00:00-03:00` });
    assert.equal((await invoices(shop, id)).at(-1)!.amount, 9_990);
  });

  test('changes the plan of a subscription that was canceled before the outcome, for a reactivation', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    await pending(id, offer_id);
    await shop.post('/subscriptions/cancel', { id });
    await settle();
    const canceled = await read(id);
    assert.deepEqual([canceled.status, canceled.offer_id], ['canceled', offer_id]);
    await shop.post(`/subscriptions/${id}/reactivate`);
    await advance(shop, { to: `${inMonths(1)}T06:00:00-03:00` });
    assert.equal((await invoices(shop, id)).at(-1)!.amount, 9_990);
  });

  test('does not hide the outcome of a renewal that is settled after it', async () => {
    const { id, card_id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    const { proration_payment_id } = await pending(id, offer_id);
    await script(shop, card_id, 'insufficient_funds');
    const upgrade = await shop.reference(proration_payment_id);
    let isSilent = true;
    const inquiries = service.intercept((real) => ({
      inquire: async (inquiry) =>
        isSilent || inquiry.reference !== upgrade
          ? { kind: 'unknown', cause: 'time_out' }
          : real.inquire(inquiry),
    }));
    await withLostAnswers(service, () => advance(shop, { to: `${inMonths(1)}T06:00:00-03:00` }));
    isSilent = false;
    await settle(10 * MINUTE_MS);
    assert.deepEqual(await statuses(id), ['paid 4990', 'paid 5000', 'processing 4990']);
    inquiries.undo();
    await settle(10 * MINUTE_MS);
    const late = await read(id);
    assert.deepEqual([late.status, late.offer_id], ['past_due', offer_id]);
    assert.equal((await invoices(shop, id)).at(-1)!.status, 'past_due');
  });
});

describe('simultaneous changes', () => {
  test('charge the difference once', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    const all = await Promise.all(
      Array.from({ length: 5 }, () => changePlan(shop, id, { offer_id, effective: 'immediate' })),
    );
    const codes = all.map(({ status }) => status);
    assert.ok(codes.includes(200), String(codes));
    assert.ok(
      codes.every((status) => [200, 409, 503].includes(status)),
      String(codes),
    );
    assert.deepEqual(await statuses(id), ['paid 4990', 'paid 5000']);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('to two offers charge the price of the one that the subscription has', async () => {
    const { id } = await subscribed(shop);
    const offers = await Promise.all([6_990, 9_990].map((price) => offerOf(shop, price)));
    await Promise.all(offers.map((offer_id) => changePlan(shop, id, { offer_id, effective: 'immediate' })));
    const { offer_id, credit_balance } = await read(id);
    const charged = (await paymentsOf(shop, id)).reduce(
      (sum, { captured_amount }) => sum + captured_amount,
      0,
    );
    const price = offer_id === offers[0] ? 6_990 : 9_990;
    assert.equal(charged - credit_balance, price);
  });

  test('under one Idempotency-Key are one change', async () => {
    const { id } = await subscribed(shop);
    const body = { offer_id: await offerOf(shop, 9_990), effective: 'immediate' };
    const all = await Promise.all(Array.from({ length: 4 }, () => changePlan(shop, id, body, 'one')));
    assert.ok(all.every(({ status }) => status === 200 || status === 409));
    assert.deepEqual(await statuses(id), ['paid 4990', 'paid 5000']);
  });
});

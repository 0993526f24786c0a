/** Overdue cycles whose charge fails after their subscription was canceled. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays, nextBusinessDay } from '../../../domain/business-days.ts';
import { stepTime } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import { changePlan, offerOf, script } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, story, subscribe, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

/** Runs `work` while the acquirer records charges, and answers neither these nor inquiries. */
async function inOutage(work: () => Promise<unknown>): Promise<void> {
  const silent = service.intercept(() => ({ inquire: async () => ({ kind: 'unknown', cause: 'time_out' }) }));
  await withLostAnswers(service, work).finally(silent.undo);
}

async function cancel(id: string, endsOn: string): Promise<void> {
  const { status, body, text } = await shop.post('/subscriptions/cancel', { id });
  assert.equal(status, 200, text);
  assert.equal(Date.parse(body.ends_at), stepTime(endsOn).getTime());
}

/** The subscription is canceled, its second cycle is overdue, and no charge of it is open. */
async function assertOverdue({ id, payment }: Json, paymentStatus: string): Promise<void> {
  assert.equal((await shop.payment(payment.id)).status, paymentStatus);
  assert.equal((await read(id)).status, 'canceled');
  assert.deepEqual(
    (await invoices(shop, id)).map(({ status }) => status),
    ['paid', 'past_due'],
  );
}

/** Reactivates a subscription, and changes its plan from the third cycle on. */
async function reactivate(id: string): Promise<void> {
  const { status, text } = await shop.post(`/subscriptions/${id}/reactivate`);
  assert.equal(status, 200, text);
  const changed = await changePlan(shop, id, { offer_id: await offerOf(shop, 9_990) });
  assert.deepEqual([changed.status, changed.body.data?.next_charge_at], [200, month(2)]);
}

/** The second cycle was paid at the old price. */
async function assertRecovered(id: string, amount: number): Promise<void> {
  const { status, successful_charges, payment, next_charge_at } = await read(id);
  assert.deepEqual(
    [status, successful_charges, payment.status, payment.amount, next_charge_at],
    ['active', 2, 'paid', amount, month(2)],
  );
  assert.deepEqual((await story(shop)).slice(-3), [
    'subscription.charge_succeeded active',
    'subscription.activated active',
    'subscription.updated active',
  ]);
  await assertAcquirerAgrees(service, shop.account);
}

describe('an overdue cycle whose charge fails after the cancellation', () => {
  test('is charged to the card at once after a reactivation, at its price', async () => {
    const { id, card_id } = await subscribed(shop);
    await script(shop, card_id, 'insufficient_funds', 'insufficient_funds');
    const retried = addDays(month(1), 1);
    await advanceTo(month(1));
    await inOutage(async () => {
      await advanceTo(retried);
      assert.equal((await read(id)).payment.status, 'processing');
      await cancel(id, addDays(retried, 30));
    });
    const canceled = await read(id);
    await reconcile(service, MINUTE_MS);
    await assertOverdue(canceled, 'refused');
    await reactivate(id);
    await advanceTo(retried, '09:00');
    await assertRecovered(id, 4_990);
  });

  test('is issued at once after a reactivation, if the boleto was not canceled and has expired', async () => {
    /** The sandbox does not cancel a boleto of this amount. */
    const amount = 99_990_015;
    const { id, payment: first } = await created(
      subscribe(shop, issuedBody({ amount, payment_method: 'bank_slip' })),
    );
    await shop.simulate(first.id, 'paid');
    const issued = addDays(nextBusinessDay(month(1)), 1);
    await advanceTo(issued);
    const overdue = await read(id);
    assert.deepEqual([overdue.status, overdue.payment.bank_slip.due_at], ['past_due', addDays(issued, 3)]);
    await cancel(id, addDays(issued, 30));
    await runPaymentSteps(service.deps);
    assert.equal((await shop.eventNames(overdue.payment.id)).at(-1), 'payment.cancel_failed');
    const expired = addDays(nextBusinessDay(addDays(issued, 3)), 1);
    await advanceTo(expired);
    await assertOverdue(overdue, 'expired');
    await reactivate(id);
    await advanceTo(expired, '09:00');
    const again = await read(id);
    assert.deepEqual([again.status, again.payment.bank_slip.due_at], ['active', addDays(expired, 3)]);
    await shop.simulate(again.payment.id, 'paid');
    await assertRecovered(id, amount);
  });
});

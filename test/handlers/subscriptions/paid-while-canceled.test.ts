/** Charges of a cycle that were withdrawn with their subscription, and that the customer can still pay. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays, nextBusinessDay } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate, stepTime } from '../../../domain/subscriptions/billing-dates.ts';
import { advance } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { simulated } from '../../support/payments/simulate-calls.ts';
import { runBillingSteps, runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import { authorized } from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices, story, subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const inMonths = (count: number) =>
  billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);

/** A subscription that is canceled while the charge of its second cycle waits for the customer, who then pays it. */
async function paidWhileCanceled(): Promise<{ readonly id: string; readonly seen: number }> {
  const { id, payment } = await created(subscribe(shop, issuedBody({ payment_method: 'pix' })));
  await simulated(shop, payment.id, 'paid');
  await advanceTo(addDays(inMonths(1), -5));
  assert.equal((await shop.post('/subscriptions/cancel', { id })).status, 200);
  const seen = (await story(shop)).length;
  await simulated(shop, (await read(id)).payment.id, 'paid');
  await runPaymentSteps(service.deps);
  return { id, seen };
}

describe('a charge that is paid after its subscription was canceled', () => {
  test('pays its cycle, and access lasts to the end of that cycle', async () => {
    const { id, seen } = await paidWhileCanceled();
    const { status, successful_charges, ends_at } = await read(id);
    const end = stepTime(inMonths(2)).getTime();
    assert.deepEqual([status, successful_charges, Date.parse(ends_at)], ['canceled', 2, end]);
    assert.deepEqual(
      (await invoices(shop, id)).map((invoice) => invoice.status),
      ['paid', 'paid'],
    );
    assert.deepEqual((await story(shop)).slice(seen), [
      'payment.updated paid',
      'subscription.charge_succeeded canceled',
      'subscription.updated canceled',
    ]);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('is not charged again after a reactivation', async () => {
    const { id } = await paidWhileCanceled();
    const { customer_id } = await read(id);
    assert.equal((await shop.post(`/subscriptions/${id}/reactivate`)).status, 200);
    const credit_card = { id: await shop.card(customer_id) };
    const body = { payment_method: 'credit_card', credit_card };
    assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
    await advanceTo(inMonths(1));
    const renewed = await read(id);
    assert.deepEqual(
      [renewed.status, renewed.successful_charges, renewed.next_charge_at],
      ['active', 2, inMonths(2)],
    );
    await assertAcquirerAgrees(service, shop.account);
  });
});

describe('a charge that the acquirer does not cancel', () => {
  /** The amount of a Pix or boleto that the sandbox does not cancel. */
  const CANCEL_FAILS = 99_990_015;

  async function canceled(): Promise<Json> {
    const body = issuedBody({ amount: CANCEL_FAILS, payment_method: 'bank_slip' });
    const { id, payment } = await created(subscribe(shop, body));
    await simulated(shop, payment.id, 'paid');
    await advanceTo(addDays(inMonths(1), -5));
    assert.equal((await shop.post('/subscriptions/cancel', { id })).status, 200);
    return read(id);
  }

  async function reactivate(id: string): Promise<void> {
    assert.equal((await shop.post(`/subscriptions/${id}/reactivate`)).status, 200);
  }

  const ORDERS = {
    'before the reactivation': async (id: string) => {
      await runPaymentSteps(service.deps);
      await reactivate(id);
    },
    'after the reactivation': async (id: string) => {
      await reactivate(id);
      await runBillingSteps(service.deps);
      await runPaymentSteps(service.deps);
    },
  };
  for (const [order, fail] of Object.entries(ORDERS)) {
    test(`${order} keeps its cycle until it expires`, async () => {
      const { id, payment } = await canceled();
      await fail(id);
      assert.equal((await shop.eventNames(payment.id)).at(-1), 'payment.cancel_failed');
      const kept = await read(id);
      assert.deepEqual([kept.status, kept.next_charge_at], ['active', inMonths(1)]);
      assert.deepEqual(
        (await invoices(shop, id)).map(({ status }) => status),
        ['paid', 'open'],
      );
      await advanceTo(addDays(nextBusinessDay(inMonths(1)), 1));
      const late = await read(id);
      assert.deepEqual([late.status, late.successful_charges], ['past_due', 1]);
      assert.notEqual(late.payment.id, payment.id);
      await simulated(shop, late.payment.id, 'paid');
      assert.equal((await read(id)).status, 'active');
    });
  }

  test('and whose end is not known delays neither the clock nor other subscriptions', async () => {
    const { id } = await canceled();
    await reactivate(id);
    const other = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
    await setDue('null');
    const later = addDays(inMonths(1), 4);
    const { steps } = await advanceTo(later);
    assert.ok(steps.some(({ object_id }: Json) => object_id === other.id));
    assert.equal((await read(id)).successful_charges, 1);
    await setDue("'epoch'");
    await runPaymentSteps(service.deps);
    // Across a weekend, the charge has not expired yet.
    const isExpired = nextBusinessDay(inMonths(1)) < later;
    assert.equal((await invoices(shop, id)).at(-1)!.status, isExpired ? 'past_due' : 'open');
  });

  /** Lets the cancellation of the charge wait, or be requested. */
  const setDue = (due: string) =>
    service.rows(
      `update payments set due_at = ${due} where merchant_id = :account and status = 'scheduled' returning id`,
      { account: shop.account },
    );

  test('ends no later than its subscription', async () => {
    const { id, payment } = await canceled();
    await runPaymentSteps(service.deps);
    const kept = (await invoices(shop, id)).at(-1);
    assert.deepEqual([kept!.status, (await read(id)).status], ['open', 'canceled']);
    await advanceTo(addDays(nextBusinessDay(inMonths(1)), 1));
    assert.deepEqual(
      [(await shop.payment(payment.id)).status, (await read(id)).status],
      ['expired', 'ended'],
    );
    assert.deepEqual(
      (await invoices(shop, id)).map(({ status }) => status),
      ['paid', 'void'],
    );
  });

  /** The subscription is canceled, and its access lasts to the end of the second cycle. */
  async function assertPaid(id: string): Promise<void> {
    const { status, successful_charges, ends_at } = await read(id);
    assert.deepEqual(
      [status, successful_charges, Date.parse(ends_at)],
      ['canceled', 2, stepTime(inMonths(2)).getTime()],
    );
    assert.deepEqual(
      (await invoices(shop, id)).map((invoice) => invoice.status),
      ['paid', 'paid'],
    );
    await assertAcquirerAgrees(service, shop.account);
  }

  test('keeps the access until a boleto can be paid no more, and pays its cycle', async () => {
    const { id, payment } = await canceled();
    await runPaymentSteps(service.deps);
    const lastDay = nextBusinessDay(inMonths(1));
    assert.equal(Date.parse((await read(id)).ends_at), stepTime(addDays(lastDay, 1)).getTime());
    await advance(shop, { to: `${lastDay}T15:00:00-03:00` });
    await simulated(shop, payment.id, 'paid');
    await assertPaid(id);
  });

  test('keeps the access until a charge by a mandate is decided, and pays its cycle', async () => {
    const { id, customer_id } = await authorized(shop);
    await advanceTo(addDays(inMonths(1), -2));
    // One for the charge, and one for its mandate.
    const outcomes = Array(2).fill({ operation: 'cancel', outcome: 'processing_error' });
    await created(shop.post('/sandbox/scripts', { customer_id, outcomes }));
    const { body } = await shop.post('/subscriptions/cancel', { id });
    assert.deepEqual([body.status, body.payment.status], ['canceled', 'waiting_payment']);
    assert.equal(Date.parse(body.ends_at), stepTime(addDays(inMonths(1), 1)).getTime());
    await advanceTo(inMonths(1));
    await assertPaid(id);
  });

  test('by a mandate is news each time that the merchant withdraws it', async () => {
    const { id, customer_id } = await authorized(shop);
    await advanceTo(addDays(inMonths(1), -2));
    const { payment } = await read(id);
    // For the charge and its mandate, which are canceled at the same time, and for both again.
    const outcomes = Array(4).fill({ operation: 'cancel', outcome: 'processing_error' });
    await created(shop.post('/sandbox/scripts', { customer_id, outcomes }));
    const body = { payment_method: 'credit_card', credit_card: { id: await shop.card(customer_id) } };
    assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
    assert.deepEqual(await shop.eventNames(payment.id), ['payment.cancel_failed']);
    const canceled = await shop.post('/subscriptions/cancel', { id });
    assert.deepEqual([canceled.body.status, canceled.body.payment.status], ['canceled', 'waiting_payment']);
    assert.deepEqual(await shop.eventNames(payment.id), Array(2).fill('payment.cancel_failed'));
    await advanceTo(inMonths(1));
    await assertPaid(id);
  });
});

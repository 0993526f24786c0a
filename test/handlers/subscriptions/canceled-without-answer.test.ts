/** A subscription whose access ends while its charge can still be paid, because the acquirer does not answer. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays, nextBusinessDay } from '../../../domain/business-days.ts';
import { stepTime } from '../../../domain/subscriptions/billing-dates.ts';
import type { CommandOf } from '../../../gateway/acquirer.ts';
import { advance, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { loseNotifications } from '../../support/payments/lost-notifications.ts';
import { runBillingSteps, runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import { authorized, scriptCharges } from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices, subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

/** The amount of a boleto that the sandbox does not cancel. */
const CANCEL_FAILS = 99_990_015;

async function withSentBoleto(amount = 4_990): Promise<Json> {
  const body = issuedBody({ amount, payment_method: 'bank_slip' });
  const { id, payment } = await created(subscribe(shop, body));
  await shop.simulate(payment.id, 'paid');
  await advanceTo(addDays(month(1), -5));
  return read(id);
}

async function withSentMandateCharge(): Promise<Json> {
  const { id } = await authorized(shop);
  await advanceTo(addDays(month(1), -1), '21:30');
  return read(id);
}

/** Runs `work` while the acquirer answers no cancellation and no inquiry. `received`: it carries cancellations out. */
async function inOutage(work: () => Promise<unknown>, { received = false } = {}): Promise<void> {
  const unknown = { kind: 'unknown', cause: 'time_out' } as const;
  const outage = service.intercept((real) => {
    const lost = async (command: CommandOf<'cancel' | 'cancel_mandate'>) => {
      if (received) await real.perform(command);
      return unknown;
    };
    return { cancel: lost, cancel_mandate: lost, inquire: async () => unknown };
  });
  await work().finally(outage.undo);
}

async function cancel({ id, payment }: Json): Promise<void> {
  const { status, body } = await shop.post('/subscriptions/cancel', { id });
  assert.deepEqual([status, Date.parse(body.ends_at)], [200, stepTime(month(1)).getTime()]);
  await runPaymentSteps(service.deps);
  assert.equal((await shop.payment(payment.id)).status, 'processing');
}

/** The subscription has access for the cycle that its customer has paid. */
async function assertPaid({ id, payment }: Json): Promise<void> {
  assert.equal((await shop.payment(payment.id)).status, 'paid');
  const { status, successful_charges, ends_at } = await read(id);
  assert.deepEqual(
    [status, successful_charges, Date.parse(ends_at)],
    ['canceled', 2, stepTime(month(2)).getTime()],
  );
  assert.deepEqual(
    (await invoices(shop, id)).map((invoice) => invoice.status),
    ['paid', 'paid'],
  );
  await reconcile(service);
  assert.deepEqual(await discrepanciesOf(service, shop.account), []);
  await assertAcquirerAgrees(service, shop.account);
  await advanceTo(month(2));
  assert.equal((await read(id)).status, 'ended');
}

describe('a subscription whose access ends while the cancellation of its charge has no answer', () => {
  test('has access for the cycle if the customer pays the boleto', async () => {
    const subscription = await withSentBoleto();
    await inOutage(async () => {
      await cancel(subscription);
      await advanceTo(month(1), '06:30');
      await shop.simulate(subscription.payment.id, 'paid');
    });
    await assertPaid(subscription);
  });

  test('has access for the cycle if the bank pays the charge by the mandate', async () => {
    const subscription = await withSentMandateCharge();
    await inOutage(async () => {
      await cancel(subscription);
      await advanceTo(month(1), '06:30');
    });
    await assertPaid(subscription);
  });

  /** Access has ended, and the subscription has not. Then the acquirer answers. */
  async function answeredLate(subscription: Json, outage: { received: boolean }): Promise<void> {
    await inOutage(async () => {
      await cancel(subscription);
      await advanceTo(month(1), '06:30');
      await runBillingSteps(service.deps);
      assert.equal((await read(subscription.id)).status, 'canceled');
    }, outage);
    await reconcile(service, MINUTE_MS);
    // A cancellation that the acquirer has not received is sent again.
    await runPaymentSteps(service.deps);
    await runBillingSteps(service.deps);
  }

  async function assertNotPaid({ id, payment }: Json, status: string): Promise<void> {
    assert.deepEqual([(await shop.payment(payment.id)).status, (await read(id)).status], [status, 'ended']);
    assert.deepEqual(
      (await invoices(shop, id)).map((invoice) => invoice.status),
      ['paid', 'void'],
    );
    await assertAcquirerAgrees(service, shop.account);
  }

  for (const received of [true, false]) {
    test(`ends when the boleto is canceled, if the cancellation was ${received ? '' : 'not '}received`, async () => {
      const subscription = await withSentBoleto();
      await answeredLate(subscription, { received });
      await assertNotPaid(subscription, 'canceled');
    });
  }

  test('ends when the boleto has expired, if the acquirer refuses to cancel it', async () => {
    const subscription = await withSentBoleto(CANCEL_FAILS);
    await answeredLate(subscription, { received: true });
    const lastDay = nextBusinessDay(month(1));
    const { status, ends_at } = await read(subscription.id);
    assert.deepEqual([status, Date.parse(ends_at)], ['canceled', stepTime(addDays(lastDay, 1)).getTime()]);
    await advanceTo(addDays(lastDay, 1));
    await assertNotPaid(subscription, 'expired');
  });
});

describe('a subscription whose access ends while the result of a charge that is not withdrawn is unknown', () => {
  /** It is canceled when it is too late to withdraw the charge by its mandate, and no notification arrives. */
  async function canceledLate(outcome: string): Promise<Json> {
    const { id, customer_id } = await authorized(shop);
    await scriptCharges(shop, customer_id, outcome);
    await advanceTo(addDays(month(1), -1), '22:30');
    const { status, body } = await shop.post('/subscriptions/cancel', { id });
    assert.deepEqual([status, body.status], [200, 'canceled']);
    await loseNotifications(shop);
    await advanceTo(addDays(month(1), 1), '06:30');
    const subscription = await read(id);
    assert.equal((await shop.payment(subscription.payment.id)).status, 'waiting_payment');
    assert.equal(subscription.status, 'canceled');
    // The acquirer is asked.
    await advanceTo(addDays(month(1), 4));
    return subscription;
  }

  test('has access for the cycle if the bank has paid the charge by the mandate', async () => {
    await assertPaid(await canceledLate('approve'));
  });

  test('ends if the bank has refused the charge by the mandate', async () => {
    const { id, payment } = await canceledLate('insufficient_funds');
    assert.deepEqual(
      [(await shop.payment(payment.id)).status, (await read(id)).status],
      ['refused', 'ended'],
    );
    await assertAcquirerAgrees(service, shop.account);
  });

  test('has access for the cycle if the customer has paid the boleto that was kept', async () => {
    const subscription = await withSentBoleto(CANCEL_FAILS);
    const { id, payment } = subscription;
    assert.equal((await shop.post('/subscriptions/cancel', { id })).status, 200);
    await runPaymentSteps(service.deps);
    const lastDay = nextBusinessDay(month(1));
    await advanceTo(lastDay, '12:00');
    await loseNotifications(shop);
    await shop.simulate(payment.id, 'paid');
    await inOutage(async () => {
      await advanceTo(addDays(lastDay, 1), '06:30');
      await runBillingSteps(service.deps);
      assert.deepEqual(
        [(await shop.payment(payment.id)).status, (await read(id)).status],
        ['waiting_payment', 'canceled'],
      );
    });
    await advanceTo(addDays(lastDay, 3));
    await assertPaid(subscription);
  });
});

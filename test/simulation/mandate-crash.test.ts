/**
 * Kills between the steps that end a mandate, withdraw a charge, or ask for a mandate: nothing stays open at the
 * acquirer.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addDays } from '../../domain/business-days.ts';
import { merchantDay } from '../../domain/local-time.ts';
import { billingDate } from '../../domain/subscriptions/billing-dates.ts';
import { RECOVERY_POINTS } from '../../services/recovery-points.ts';
import { advance } from '../support/clock-calls.ts';
import { reconcile } from '../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { leaveOpen, loseNotifications } from '../support/payments/lost-notifications.ts';
import { startCrashing } from '../support/processes/crashing-service.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';
import { cancelMandates, runPaymentSteps } from '../support/run-jobs.ts';
import { type Json, startTestService, type TestService } from '../support/service.ts';
import { created, Shop } from '../support/shop.ts';
import {
  authorize,
  authorized,
  mandateStates,
  pixBody,
} from '../support/subscriptions/pix-recurring-calls.ts';
import { subscribed } from '../support/subscriptions/subscription-calls.ts';

const { intentCommitted, acquirerAnswered, outcomeCommitted, chargeReported } = RECOVERY_POINTS;
/** Longer than the reconciler leaves a new operation alone. */
const SOON_MS = 25_000;
/** Longer than the run that died may hold its Idempotency-Key. */
const LEASE_OVER_MS = 40_000;

/** The cancellation of the charge and that of the mandate, and where the process dies during each. */
const MOMENTS = [
  [1, intentCommitted],
  [1, acquirerAnswered],
  [1, outcomeCommitted],
  [2, intentCommitted],
] as const;

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

const dueOn = () => billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);

/** A subscription whose next charge was sent to the payer's bank. */
async function withSentCharge(shop: Shop): Promise<Json> {
  const { id } = await authorized(shop);
  await advance(shop, { to: `${addDays(dueOn(), -1)}T06:00:00-03:00` });
  const subscription = await shop.get(`/subscriptions/${id}`);
  assert.equal(subscription.payment.status, 'waiting_payment');
  return subscription;
}

/** A service that starts later settles all that was left open. */
async function recover(run: (later: TestService) => Promise<void>): Promise<void> {
  await using later = await startTestService({ beside: service, ahead_ms: SOON_MS, jobs: false });
  await reconcile(later, SOON_MS);
  await runPaymentSteps(later.deps);
  await cancelMandates(later.deps);
  assert.equal(await reconcile(later, LEASE_OVER_MS), 0, 'nothing is left to settle');
  later.setAhead(LEASE_OVER_MS);
  await run(later);
}

/** The charge is not paid on its day, and the mandate is canceled. */
async function assertStopped(shop: Shop, { id, payment }: Json): Promise<void> {
  assert.equal((await shop.payment(payment.id)).status, 'canceled');
  assert.deepEqual(await mandateStates(shop), ['canceled']);
  await advance(shop, { to: `${addDays(dueOn(), 1)}T06:00:00-03:00` });
  assert.equal((await shop.get(`/subscriptions/${id}`)).successful_charges, 1);
  assert.equal((await shop.payment(payment.id)).status, 'canceled');
  const failed = await shop.eventNames(payment.id);
  assert.ok(!failed.includes('payment.cancel_failed'), 'a cancellation that was never sent has not failed');
  const atAcquirer = await shop.service.rows(
    'select state from simulator.payments where account = :account and reference = :reference',
    { account: shop.account, reference: await shop.reference(payment.id) },
  );
  assert.deepEqual(atAcquirer, [{ state: 'voided' }]);
}

describe('a crash while a Pix recurring subscription is canceled', () => {
  for (const [operation, point] of MOMENTS) {
    test(`in operation ${operation} at ${point}: the charge and the mandate are canceled`, async () => {
      const crashing = await startCrashing(service, point, operation);
      const shop = await Shop.open(service);
      const subscription = await withSentCharge(shop);
      const body = { id: subscription.id };
      const key = shop.onboarded.apiKey;
      await crashing.crash({ key, path: '/subscriptions/cancel', body });
      await recover(async (later) => {
        const shopLater = new Shop(later, shop.onboarded);
        const answer = await shopLater.post('/subscriptions/cancel', body, 'k');
        assert.deepEqual([answer.status, answer.body.status], [200, 'canceled'], answer.text);
        await assertStopped(shopLater, subscription);
      });
    });
  }
});

describe('a worker that is killed after a refund has ended a Pix recurring subscription', () => {
  for (const [operation, point] of MOMENTS) {
    test(`in operation ${operation} at ${point}: the charge and the mandate are canceled`, async () => {
      const shop = await Shop.open(service);
      const subscription = await withSentCharge(shop);
      const [first] = (await shop.get(`/payments?subscription_id=${subscription.id}`)).data.slice(-1);
      await created(shop.refund(first.id));
      assert.equal((await shop.get(`/subscriptions/${subscription.id}`)).status, 'ended');
      assert.deepEqual(await mandateStates(shop), ['authorized']);
      const { ended } = await startServiceProcess(service, {
        program: 'crashing-program.ts',
        jobs: true,
        env: { CRASH_AT: point, CRASH_AT_REQUEST: String(operation) },
      });
      assert.deepEqual(await ended, [null, 'SIGKILL']);
      await recover((later) => assertStopped(new Shop(later, shop.onboarded), subscription));
    });
  }
});

describe('a worker that is killed while it asks for the result of a charge', () => {
  for (const [point, ends] of [
    [chargeReported, 'paid'],
    [chargeReported, 'canceled'],
    [intentCommitted, 'canceled'],
    [acquirerAnswered, 'canceled'],
  ] as const) {
    test(`at ${point}: the charge is ${ends} once`, async () => {
      const shop = await Shop.open(service);
      const { id, payment } = await withSentCharge(shop);
      await loseNotifications(shop);
      if (ends === 'canceled') await leaveOpen(shop, payment.id);
      await advance(shop, { to: `${addDays(dueOn(), 3)}T05:59:59-03:00` });
      assert.equal((await shop.payment(payment.id)).status, 'waiting_payment');
      const { ended } = await startServiceProcess(service, {
        program: 'crashing-program.ts',
        jobs: true,
        env: { CRASH_AT: point },
      });
      assert.deepEqual(await ended, [null, 'SIGKILL']);
      await recover(async (later) => {
        const shopLater = new Shop(later, shop.onboarded);
        await advance(shopLater, { days: 1 });
        assert.equal((await shopLater.payment(payment.id)).status, ends);
        const { successful_charges } = await shopLater.get(`/subscriptions/${id}`);
        assert.equal(successful_charges, ends === 'paid' ? 2 : 1);
        await assertAcquirerAgrees(later, shop.account);
      });
    });
  }
});

test('a crash before a new mandate is requested: it is refused, and not charged later', async () => {
  const crashing = await startCrashing(service, intentCommitted);
  const shop = await Shop.open(service);
  const body = await pixBody(shop);
  await crashing.crash({ key: shop.onboarded.apiKey, path: '/subscriptions', body });
  await recover(async (later) => {
    const shopLater = new Shop(later, shop.onboarded);
    const { id } = await created(shopLater.post('/subscriptions', body, 'k'));
    const { status, payment, next_charge_at, created_at } = await shopLater.get(`/subscriptions/${id}`);
    assert.deepEqual([status, payment.status], ['payment_pending', 'refused']);
    assert.equal(next_charge_at, merchantDay(new Date(created_at)), 'no other charge is planned');
    await advance(shopLater, { days: 5 });
    const ended = await shopLater.get(`/subscriptions/${id}`);
    assert.deepEqual([ended.status, ended.payment.id], ['ended', payment.id]);
    await assertAcquirerAgrees(later, shop.account);
  });
});

describe('a crash while a mandate is requested for a subscription by card', () => {
  for (const [point, isRequested] of [
    [intentCommitted, false],
    [acquirerAnswered, true],
    [outcomeCommitted, true],
  ] as const) {
    test(`at ${point}: ${isRequested ? 'the payer can authorize it' : 'the card stays'}`, async () => {
      const crashing = await startCrashing(service, point);
      const shop = await Shop.open(service);
      const subscription = await subscribed(shop);
      const path = `/subscriptions/${subscription.id}/payment-method`;
      const body = { payment_method: 'pix_recurring' };
      await crashing.crash({ key: shop.onboarded.apiKey, method: 'PUT', path, body });
      await recover(async (later) => {
        const shopLater = new Shop(later, shop.onboarded);
        const { payment_method, payment } = await shopLater.get(`/subscriptions/${subscription.id}`);
        assert.equal(payment_method, 'credit_card');
        if (isRequested) {
          assert.match(payment.pix_recurring.qr_code, /^000201/);
          assert.equal((await authorize(shopLater, subscription.id)).payment_method, 'pix_recurring');
        } else {
          assert.equal(payment.id, subscription.payment.id);
        }
        await assertAcquirerAgrees(later, shop.account);
      });
    });
  }

  test('leaves no second mandate open if its caller repeats the request', async () => {
    const crashing = await startCrashing(service, acquirerAnswered);
    const shop = await Shop.open(service);
    const { id } = await subscribed(shop);
    const path = `/subscriptions/${id}/payment-method`;
    const body = { payment_method: 'pix_recurring' };
    await crashing.crash({ key: shop.onboarded.apiKey, method: 'PUT', path, body });
    await recover(async (later) => {
      const shopLater = new Shop(later, shop.onboarded);
      const again = await shopLater.call('PUT', path, { body, idempotencyKey: 'k' });
      assert.equal(again.status, 200, again.text);
      assert.deepEqual(await mandateStates(shopLater), ['canceled', 'created']);
    });
  });
});

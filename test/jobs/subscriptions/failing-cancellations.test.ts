/**
 * Cancellations of mandates that fail in this service: they are logged and wait, and stop neither others nor the clock.
 */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { advance, advanceBy, DAY_MS, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { cancelMandates } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { authorized, mandateStates } from '../../support/subscriptions/pix-recurring-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

/** A subscription whose mandate is to be canceled by the job. */
async function refunded(): Promise<Json> {
  const subscription = await authorized(shop);
  await created(shop.refund(subscription.payment.id));
  return subscription;
}

const logged = (paymentId: string) =>
  service.log.filter(({ fields }) => fields.payment_id === paymentId).map(({ message }) => message);

async function withForbiddenCancellation<Result>(
  paymentId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const forbid = `check (kind <> 'cancel_mandate' or payment_id <> '${paymentId}')`;
  await service.rows(`alter table payment_operations add constraint forbidden ${forbid}`);
  try {
    return await work();
  } finally {
    await service.rows('alter table payment_operations drop constraint forbidden');
  }
}

test('one that cannot be written is tried again a day later while the clock is advanced', async () => {
  const broken = await refunded();
  await refunded();
  await withForbiddenCancellation(broken.payment.id, async () => {
    await advanceBy(shop, DAY_MS / 2);
    assert.deepEqual(await mandateStates(shop), ['authorized', 'canceled']);
  });
  assert.deepEqual(logged(broken.payment.id), ['the cancellation of a mandate failed']);
  await advanceBy(shop, DAY_MS);
  assert.deepEqual(await mandateStates(shop), ['canceled', 'canceled']);
  await assertAcquirerAgrees(service, shop.account);
});

test('one that cannot be written is tried again 15 minutes later by the job', async () => {
  const broken = await refunded();
  await refunded();
  await withForbiddenCancellation(broken.payment.id, () => cancelMandates(service.deps));
  assert.deepEqual(await mandateStates(shop), ['authorized', 'canceled']);
  service.setAhead(14 * MINUTE_MS);
  assert.equal(await cancelMandates(service.deps), 0);
  service.setAhead(16 * MINUTE_MS);
  await cancelMandates(service.deps);
  assert.deepEqual(await mandateStates(shop), ['canceled', 'canceled']);
});

test('one whose call to the acquirer throws does not stop the clock, and is sent again', async () => {
  const broken = await refunded();
  const reference = await shop.reference(broken.payment.id);
  const spy = service.intercept((real) => ({
    cancel_mandate: async (command) => {
      if (command.paymentReference === reference) throw new Error('cannot be sent');
      return real.perform(command);
    },
  }));
  await refunded();
  await advance(shop, { days: 3 });
  assert.deepEqual(await mandateStates(shop), ['authorized', 'canceled']);
  const errors = service.log.filter(({ message }) => message === 'an operation failed');
  assert.equal(errors[0]!.fields.merchant_id, shop.account);
  spy.undo();
  // The reconciler finds that the acquirer has not received it, and the job sends it again.
  await reconcile(service, MINUTE_MS);
  await cancelMandates(service.deps);
  assert.deepEqual(await mandateStates(shop), ['canceled', 'canceled']);
  await assertAcquirerAgrees(service, shop.account);
});

/** A subscription whose cancellation ends its mandate, which the acquirer refuses. */
async function refusedOnce(): Promise<Json> {
  const subscription = await authorized(shop);
  const { id, customer_id } = subscription;
  const outcomes = [{ operation: 'cancel', outcome: 'processing_error' }];
  await created(shop.post('/sandbox/scripts', { customer_id, outcomes }));
  const { status, body } = await shop.post('/subscriptions/cancel', { id });
  assert.deepEqual([status, body.status], [200, 'canceled']);
  assert.deepEqual(await mandateStates(shop), ['authorized']);
  return subscription;
}

test('one that the acquirer refuses, and that can be tried again, is sent again a day later', async () => {
  const { payment } = await refusedOnce();
  assert.deepEqual(logged(payment.id), ['the acquirer has refused to cancel a mandate']);
  await advanceBy(shop, DAY_MS - MINUTE_MS);
  assert.deepEqual(await mandateStates(shop), ['authorized']);
  await advanceBy(shop, MINUTE_MS);
  assert.deepEqual(await mandateStates(shop), ['canceled']);
  await assertAcquirerAgrees(service, shop.account);
});

test('one that the acquirer refuses for good is logged, and not sent again', async () => {
  const final = {
    code: 'unknown_mandate',
    message: 'The acquirer does not know this mandate.',
    retryable: false,
  };
  const spy = service.intercept((real) => ({
    cancel_mandate: async (command) => {
      const outcome = await real.perform(command);
      assert.equal(outcome.kind, 'refused');
      return { ...outcome, refusal: final };
    },
  }));
  const { payment } = await refusedOnce();
  spy.undo();
  assert.deepEqual(logged(payment.id), ['the acquirer has refused to cancel a mandate']);
  await advance(shop, { days: 3 });
  assert.deepEqual(await mandateStates(shop), ['authorized']);
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { advanceBy, MINUTE_MS, stepNames } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, statusesOf } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});
afterEach(() => assertAcquirerAgrees(service, shop.account));

const AFTER_EXPIRY_MS = 121_000;

/** A Pix that may be paid for two minutes. */
async function shortPix(amount = 5_000): Promise<Json> {
  const expires_at = new Date(Date.now() + 120_000).toISOString();
  return shop.pixPayment(amount, { expires_at });
}

/** Runs `work` while the acquirer has not answered a cancellation: before it decides, or after. */
function duringCancel(when: 'before' | 'after', work: () => Promise<unknown>) {
  return service.intercept((real) => ({
    cancel: async (asked) => {
      if (when === 'before') await work();
      const outcome = await real.perform(asked);
      if (when === 'after') await work();
      return outcome;
    },
  }));
}

const pastExpiry = async () => {
  service.setAhead(AFTER_EXPIRY_MS);
  return runPaymentSteps(service.deps);
};

describe('a Pix that expires while its cancellation is in progress', () => {
  for (const when of ['before', 'after'] as const) {
    test(`is canceled here and at the acquirer if it expires ${when} the acquirer decides`, async () => {
      const { id } = await shortPix();
      let expired: number | undefined;
      const spy = duringCancel(when, async () => {
        expired = await pastExpiry();
      });
      const { status, body } = await shop.cancel(id);
      spy.undo();
      assert.equal(expired, 0);
      assert.deepEqual([status, body.status], [200, 'canceled']);
      assert.deepEqual(statusesOf(await shop.payment(id)), ['processing', 'waiting_payment', 'canceled']);
      assert.equal(await runPaymentSteps(service.deps), 0);
    });
  }

  test('expires once the acquirer has refused to cancel it', async () => {
    const { id } = await shortPix(99_990_015);
    const spy = duringCancel('before', pastExpiry);
    assertRefused(await shop.cancel(id), 'status');
    spy.undo();
    assert.equal((await shop.payment(id)).status, 'waiting_payment');
    assert.equal(await runPaymentSteps(service.deps), 1);
    assert.equal((await shop.payment(id)).status, 'expired');
  });

  test('expires if the acquirer reports it, which then refuses to cancel it', async () => {
    const { id } = await shortPix();
    const spy = duringCancel('before', () => shop.acquirerWorks(AFTER_EXPIRY_MS));
    assertRefused(await shop.cancel(id), 'status');
    spy.undo();
    assert.deepEqual(statusesOf(await shop.payment(id)), ['processing', 'waiting_payment', 'expired']);
  });

  test('cannot be canceled once it has expired', async () => {
    const { id } = await shortPix();
    assert.equal(await pastExpiry(), 1);
    assertRefused(await shop.cancel(id), 'status');
    assert.equal((await shop.payment(id)).status, 'expired');
  });

  test('has one end, in either order of expiry and cancellation', async () => {
    const payments = await Promise.all(Array.from({ length: 12 }, () => shortPix()));
    service.setAhead(AFTER_EXPIRY_MS);
    const cancels = payments.map(({ id }) => shop.cancel(id));
    const expiries = Array.from({ length: 4 }, () => runPaymentSteps(service.deps));
    const answers = await Promise.all(cancels);
    await Promise.all(expiries);
    await runPaymentSteps(service.deps);
    for (const [n, { id }] of payments.entries()) {
      const wasCanceled = answers[n]!.status === 200;
      assert.equal((await shop.payment(id)).status, wasCanceled ? 'canceled' : 'expired');
    }
  });
});

describe('the clock of the sandbox is moved past the expiry of a Pix', () => {
  test('while its cancellation is in progress: the Pix is canceled', async () => {
    const { id } = await shop.pixPayment();
    const moved: Json[] = [];
    const spy = duringCancel('after', async () => moved.push(await advanceBy(shop, 31 * MINUTE_MS)));
    const { status, body } = await shop.cancel(id);
    spy.undo();
    assert.deepEqual([status, body.status, stepNames(moved[0])], [200, 'canceled', []]);
  });

  test('while the answer to its cancellation is lost: the Pix is canceled', async () => {
    const { id } = await shop.pixPayment();
    assert.equal((await withLostAnswers(service, () => shop.cancel(id))).body.status, 'processing');
    service.setAhead(15_000);
    assert.deepEqual(stepNames(await advanceBy(shop, 31 * MINUTE_MS)), ['reconcile_cancel']);
    assert.equal((await shop.payment(id)).status, 'canceled');
    assert.equal(await reconcile(service, 60_000), 0);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RECOVERY_POINTS } from '../../services/recovery-points.ts';
import { reconcile } from '../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { startCrashing } from '../support/processes/crashing-service.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { changeNow, changePlan, offerOf, paymentsOf } from '../support/subscriptions/plan-change-calls.ts';
import { subscribed } from '../support/subscriptions/subscription-calls.ts';

const { intentCommitted, acquirerAnswered, outcomeCommitted } = RECOVERY_POINTS;
/** Longer than a request may work on its intent. */
const SOON_MS = 25_000;
/** Longer than a killed process holds an Idempotency-Key. */
const LEASE_OVER_MS = 40_000;

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

describe('a crash during an upgrade', () => {
  for (const [point, isCharged, isCallerFirst] of [
    [intentCommitted, false, true],
    [acquirerAnswered, true, true],
    [acquirerAnswered, true, false],
    [outcomeCommitted, true, true],
  ] as const) {
    const first = isCallerFirst ? 'its caller retries' : 'the reconciler runs';
    const end = isCharged ? 'charges once and changes the plan' : 'charges nothing and changes nothing';
    test(`at ${point}, after which ${first} first, ${end}`, async () => {
      const crashing = await startCrashing(service, point);
      const shop = await Shop.open(service);
      const { id } = await subscribed(shop);
      const before = await shop.get(`/subscriptions/${id}`);
      const body = { offer_id: await offerOf(shop, 9_990), effective: 'immediate' };
      await crashing.crash({ key: shop.onboarded.apiKey, path: `/subscriptions/${id}/change-plan`, body });

      await using fresh = await startTestService({ beside: service, ahead_ms: SOON_MS, jobs: false });
      const later = new Shop(fresh, shop.onboarded);
      if (!isCallerFirst) assert.equal(await reconcile(fresh, SOON_MS), 1);
      fresh.setAhead(LEASE_OVER_MS);
      const answer = await changePlan(later, id, body, 'k');
      assert.equal(answer.status, isCharged ? 200 : 422, answer.text);
      assert.equal((await changePlan(later, id, body, 'k')).text, answer.text);
      const subscription = await later.get(`/subscriptions/${id}`);
      const payments = (await paymentsOf(later, id)).map(({ status, amount }) => `${status} ${amount}`);
      assert.deepEqual(payments, ['paid 4990', isCharged ? 'paid 5000' : 'refused 5000']);
      assert.equal(await reconcile(fresh, LEASE_OVER_MS), 0, 'nothing is left to settle');
      if (isCharged) {
        const { data } = answer.body;
        assert.deepEqual(
          [data.delta, data.next_charge_amount, data.proration_payment_id],
          [5_000, 9_990, subscription.payment.id],
        );
        assert.equal(subscription.offer_id, body.offer_id);
      } else {
        assert.match(
          answer.body.errors.payment[0],
          /^The charge of the difference did not reach the acquirer/,
        );
        assert.deepEqual(subscription, before);
        assert.equal((await changeNow(later, id, body.offer_id)).delta, 5_000);
      }
      await assertAcquirerAgrees(fresh, shop.account);
    });
  }
});

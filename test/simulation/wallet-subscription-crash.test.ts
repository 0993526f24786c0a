import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RECOVERY_POINTS } from '../../services/recovery-points.ts';
import { advance } from '../support/clock-calls.ts';
import { reconcile } from '../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { startCrashing } from '../support/processes/crashing-service.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { subscribe, walletSubscriptionBody } from '../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain } from '../support/wallet/wallet-shop.ts';

const { intentCommitted, acquirerAnswered } = RECOVERY_POINTS;
/** Longer than a request may work on its intent. */
const SOON_MS = 25_000;
/** Longer than the run that died may hold its Idempotency-Key. */
const LEASE_OVER_MS = 40_000;

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

describe('a crash during the first charge of a wallet', () => {
  for (const [point, isCallerFirst, end] of [
    [acquirerAnswered, true, 'the later cycles are charged'],
    [acquirerAnswered, false, 'the later cycles are charged'],
    [intentCommitted, true, 'the subscription is unpaid'],
  ] as const) {
    const first = isCallerFirst ? 'its caller retries' : 'the reconciler runs';
    test(`at ${point}, after which ${first} first: ${end}`, async () => {
      const crashing = await startCrashing(service, point);
      const shop = await Shop.open(service);
      await verifiedDomain(shop, domainOf(shop));
      const body = await walletSubscriptionBody(shop);
      await crashing.crash({ key: shop.onboarded.apiKey, path: '/charges/subscriptions', body });

      await using fresh = await startTestService({ beside: service, ahead_ms: SOON_MS, jobs: false });
      const later = new Shop(fresh, shop.onboarded);
      if (!isCallerFirst) assert.equal(await reconcile(fresh, SOON_MS), 1);
      fresh.setAhead(LEASE_OVER_MS);
      const answer = await subscribe(later, body, 'k');
      assert.equal(answer.status, 201, answer.text);
      assert.equal((await subscribe(later, body, 'k')).text, answer.text);
      assert.equal((await later.get('/subscriptions')).data.length, 1);
      const isCharged = point === acquirerAnswered;
      const { id } = answer.body;
      if (isCharged) await advance(later, { days: 32 });
      const { status, successful_charges } = await later.get(`/subscriptions/${id}`);
      assert.deepEqual([status, successful_charges], isCharged ? ['active', 2] : ['unpaid', 0]);
      await assertAcquirerAgrees(fresh, shop.account);
    });
  }
});

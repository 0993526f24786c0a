import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RECOVERY_POINTS } from '../../services/recovery-points.ts';
import { MINUTE_MS } from '../support/clock-calls.ts';
import { reconcile } from '../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { type CrashingService, startCrashing } from '../support/processes/crashing-service.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';
import { runPaymentSteps } from '../support/run-jobs.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { jump } from '../support/subscriptions/renewals.ts';
import { until } from '../support/until.ts';
import { CLOCK_SCENARIOS, type CrashedRequest, SCENARIOS, type Scenario } from './crash-scenarios.ts';

const { intentCommitted, acquirerAnswered, outcomeCommitted } = RECOVERY_POINTS;
/** Of a request. `mandate-crash.test.ts` has the point of an inquiry. */
const POINTS = [intentCommitted, acquirerAnswered, outcomeCommitted];

/** Orders of all methods go the same way through the points, so most of them are killed at one only. */
function pointsOf({ isLikeAnother }: Scenario): readonly string[] {
  return isLikeAnother ? [acquirerAnswered] : POINTS;
}

/** Longer than a request may work on its intent, and well within the minute in which all must be settled. */
const SOON_MS = 25_000;
/** Longer than a killed process holds an Idempotency-Key. */
const LEASE_OVER_MS = 40_000;

let service: TestService;

before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

/** The services that crash, in order. The next one starts while the result of the one before is checked. */
const started: Promise<CrashingService>[] = [];
const moments = SCENARIOS.flatMap(pointsOf);

function nextCrashing(): Promise<CrashingService> {
  while (started.length < 2 && moments.length > 0) started.push(startCrashing(service, moments.shift()!));
  return started.shift()!;
}

/** A service that starts after a crash, `SOON_MS` later. */
const startAfterCrash = (jobs: boolean) => startTestService({ beside: service, ahead_ms: SOON_MS, jobs });

/** How many operations of this kind the acquirer has carried out. */
async function bookedOf({ service, account }: Shop, kind: string): Promise<number> {
  const rows = await service.rows(
    "select 1 from simulator.operations where account = :account and kind = :kind and status = 'booked'",
    { account, kind },
  );
  return rows.length;
}

/**
 * Sends the same request under the same key to a service that started later: it happened once, or not at all.
 * `isReceived`: the acquirer has received it from the service that was killed.
 */
async function assertSettled(
  shop: Shop,
  { path, body, code }: CrashedRequest,
  scenario: Scenario,
  isReceived: boolean,
) {
  const { done, undone } = scenario;
  const isDone = isReceived || undone === undefined;
  const answer = await shop.post(path, body, 'k');
  const [status, ...events] = isDone ? done : undone;
  const payment = await shop.payment(code);
  assert.equal(payment.status, status, answer.text);
  assert.deepEqual(await shop.eventNames(payment.id), events);
  assert.equal(await bookedOf(shop, scenario.operation), isDone ? 1 : 0);
  await assertAcquirerAgrees(shop.service, shop.account);

  assert.ok(answer.status < 300, answer.text);
  if (path === '/charges/orders') assert.equal(answer.body.payment.id, payment.id);
  const again = await shop.post(path, body, 'k');
  assert.deepEqual([again.status, again.text], [answer.status, answer.text]);
  assert.equal((await shop.get('/payments')).data.length, 1);
}

for (const [place, scenario] of SCENARIOS.entries()) {
  describe(`a crash during ${scenario.what}`, () => {
    for (const [moment, point] of pointsOf(scenario).entries()) {
      const isCallerFirst = (place + moment) % 2 === 0;
      test(`at ${point}; then ${isCallerFirst ? 'its caller retries' : 'the reconciler runs'} first`, async () => {
        const crashing = await nextCrashing();
        const shop = await Shop.open(service);
        const asked = await scenario.prepare(shop);
        const { path, body } = asked;
        await crashing.crash({ key: shop.onboarded.apiKey, ...asked });
        if (point !== outcomeCommitted) assert.equal((await shop.post(path, body, 'k')).status, 409);

        await using fresh = await startAfterCrash(false);
        if (!isCallerFirst) {
          assert.equal(await reconcile(fresh, SOON_MS), point === outcomeCommitted ? 0 : 1);
        }
        fresh.setAhead(LEASE_OVER_MS);
        await assertSettled(new Shop(fresh, shop.onboarded), asked, scenario, point !== intentCommitted);
        assert.equal(await reconcile(fresh, LEASE_OVER_MS), 0, 'nothing is left to settle');
      });
    }
  });
}

for (const { what, prepare, due_ms, operation, done } of CLOCK_SCENARIOS) {
  describe(`a worker that is killed during ${what}`, () => {
    for (const point of [intentCommitted, acquirerAnswered]) {
      test(`at ${point}: another worker finishes it`, async (t) => {
        t.after(() => service.setAhead(0));
        const shop = await Shop.open(service);
        const { id } = await prepare(shop);
        const { ended } = await startServiceProcess(service, {
          program: 'crashing-program.ts',
          jobs: true,
          env: { CRASH_AT: point },
        });
        await jump(shop, due_ms);
        assert.deepEqual(await ended, [null, 'SIGKILL']);
        assert.equal(await reconcile(service, SOON_MS), 1);
        service.setAhead(SOON_MS + 2 * MINUTE_MS);
        await runPaymentSteps(service.deps);
        const [status, ...events] = done;
        assert.equal((await shop.payment(id)).status, status);
        assert.deepEqual(await shop.eventNames(id), events);
        assert.equal(await bookedOf(shop, operation), 1);
        await assertAcquirerAgrees(service, shop.account);
      });
    }
  });
}

describe('a crash while the acquirer has one request of each kind', () => {
  for (const [moment, isReceived] of [
    ['request_received', false],
    ['books_committed', true],
  ] as const) {
    test(moment, async () => {
      const crashing = await startCrashing(service, moment, SCENARIOS.length);
      const shops = await Promise.all(SCENARIOS.map(() => Shop.open(service)));
      const asked = await Promise.all(SCENARIOS.map((scenario, i) => scenario.prepare(shops[i]!)));
      await crashing.crash(...asked.map((one, i) => ({ key: shops[i]!.onboarded.apiKey, ...one })));

      await using fresh = await startAfterCrash(false);
      assert.equal(await reconcile(fresh, SOON_MS), SCENARIOS.length);
      fresh.setAhead(LEASE_OVER_MS);
      for (const [i, scenario] of SCENARIOS.entries()) {
        await assertSettled(new Shop(fresh, shops[i]!.onboarded), asked[i]!, scenario, isReceived);
      }
    });
  }
});

test('the background jobs of a service that starts after a crash settle its payments', async () => {
  const crashing = await startCrashing(service, acquirerAnswered);
  const shop = await Shop.open(service);
  const body = await shop.cardOrderBody();
  await crashing.crash({ key: shop.onboarded.apiKey, path: '/charges/orders', body });
  assert.equal((await shop.payment(body.code)).status, 'processing');
  await using fresh = await startAfterCrash(true);
  const shopAfter = new Shop(fresh, shop.onboarded);
  await until('it is paid', async () => (await shopAfter.payment(body.code)).status === 'paid');
  await assertAcquirerAgrees(fresh, shop.account);
});

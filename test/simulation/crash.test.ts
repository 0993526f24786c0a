import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RECOVERY_POINTS } from '../../services/recovery-points.ts';
import { reconcile } from '../support/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/acquirer-records.ts';
import { type CrashingService, startCrashing } from '../support/crashing-service.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { until } from '../support/until.ts';
import { type CrashedRequest, SCENARIOS, type Scenario } from './crash-scenarios.ts';

const { intentCommitted, acquirerAnswered, outcomeCommitted } = RECOVERY_POINTS;
const POINTS = Object.values(RECOVERY_POINTS);

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
const moments = SCENARIOS.flatMap(() => POINTS);

function nextCrashing(): Promise<CrashingService> {
  while (started.length < 2 && moments.length > 0) started.push(startCrashing(service, moments.shift()!));
  return started.shift()!;
}

/** A service that starts after a crash, `SOON_MS` later. */
const startAfterCrash = (jobs: boolean) => startTestService({ beside: service, ahead_ms: SOON_MS, jobs });

/** Sends the same request under the same key to a service that started later: it happened once, or not at all. */
async function assertSettled(
  shop: Shop,
  { path, body, code }: CrashedRequest,
  scenario: Scenario,
  isDone: boolean,
) {
  const answer = await shop.post(path, body, 'k');
  const [status, ...events] = isDone ? scenario.done : scenario.undone;
  const payment = await shop.payment(code);
  assert.equal(payment.status, status, answer.text);
  assert.deepEqual(await shop.eventNames(payment.id), events);
  const booked = await shop.service.rows(
    "select 1 from simulator.operations where account = :account and kind = :kind and status = 'booked'",
    { account: shop.account, kind: scenario.operation },
  );
  assert.equal(booked.length, isDone ? 1 : 0);
  await assertAcquirerAgrees(shop.service, shop.account);

  const isRefusedCommand = !isDone && /capture|cancel/.test(path);
  assert.ok(isRefusedCommand ? answer.status === 422 : answer.status < 300, answer.text);
  if (path === '/charges/orders') assert.equal(answer.body.payment.id, payment.id);
  const again = await shop.post(path, body, 'k');
  assert.deepEqual([again.status, again.text], [answer.status, answer.text]);
  assert.equal((await shop.get('/payments')).data.length, 1);
}

for (const [place, scenario] of SCENARIOS.entries()) {
  describe(`a crash during ${scenario.what}`, () => {
    for (const [moment, point] of POINTS.entries()) {
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

describe('a crash while the acquirer has one request of each kind', () => {
  for (const [moment, isDone] of [
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
        await assertSettled(new Shop(fresh, shops[i]!.onboarded), asked[i]!, scenario, isDone);
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

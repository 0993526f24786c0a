import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RECOVERY_POINTS } from '../../services/recovery-points.ts';
import { DAY_MS } from '../support/clock-calls.ts';
import { reconcile } from '../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';
import { runBillingSteps } from '../support/run-jobs.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import {
  assertChargedOnce,
  hurryReconciler,
  jump,
  paidCycles,
  toNoon,
} from '../support/subscriptions/renewals.ts';
import { subscribed } from '../support/subscriptions/subscription-calls.ts';
import { until } from '../support/until.ts';

/** Longer than the reconciler leaves a new operation alone. */
const SOON_MS = 25_000;
const MONTH_MS = toNoon(32 * DAY_MS);
const TWO_MONTHS_MS = toNoon(64 * DAY_MS);
const LIMIT_MS = 60_000;

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

/** A shop with monthly subscriptions that were charged once. */
async function shopWith(count: number): Promise<Shop> {
  const shop = await Shop.open(service);
  await Promise.all(Array.from({ length: count }, () => subscribed(shop)));
  return shop;
}

describe('a worker that is killed during a billing step', () => {
  const COUNT = 4;
  for (const [moment, point, charges] of [
    ['before the intents are committed', 'presented_processing', COUNT],
    ['before the charges are sent', RECOVERY_POINTS.intentCommitted, 2 * COUNT],
    ['after a charge was answered and before its commit', RECOVERY_POINTS.acquirerAnswered, null],
    ['after the commit of an outcome', RECOVERY_POINTS.outcomeCommitted, null],
  ] as const) {
    test(`${moment}: another worker charges each cycle once`, async () => {
      service.setAhead(0);
      const shop = await shopWith(COUNT);
      const env = { CRASH_AT: point, CRASH_AT_REQUEST: '2' };
      const { ended } = await startServiceProcess(service, {
        program: 'crashing-program.ts',
        jobs: true,
        env: point === RECOVERY_POINTS.intentCommitted ? { ...env, CRASH_AT_REQUEST: '1' } : env,
      });
      await jump(shop, MONTH_MS);
      assert.deepEqual(await ended, [null, 'SIGKILL']);
      // Postgres may still be undoing a transaction of the killed worker, whose rows are skipped until then.
      const isCharged = async () => {
        await reconcile(service, SOON_MS);
        await runBillingSteps(service.deps);
        return (await paidCycles(shop)).every((count) => count === 2);
      };
      await until('each cycle is charged', isCharged, LIMIT_MS);
      await assertChargedOnce(shop, COUNT, 2);
      await assertAcquirerAgrees(service, shop.account);
      const attempts = await service.rows(
        'select 1 from payments where merchant_id = :account and cycle = 2',
        { account: shop.account },
      );
      if (charges !== null) assert.equal(attempts.length, charges);
    });
  }
});

test('two workers on the same subscriptions, of which one is killed, neither skip nor repeat a cycle', async () => {
  const COUNT = 12;
  service.setAhead(0);
  const shop = await shopWith(COUNT);
  const [first, second] = await Promise.all([
    startServiceProcess(service, { jobs: true }),
    startServiceProcess(service, { jobs: true }),
  ]);
  const areCharged = (cycles: number) =>
    until(
      `cycle ${cycles} is paid`,
      async () => {
        await hurryReconciler(service);
        return (await paidCycles(shop)).every((count) => count === cycles);
      },
      LIMIT_MS,
    );
  await jump(shop, MONTH_MS);
  await areCharged(2);
  await jump(shop, TWO_MONTHS_MS);
  await until('charges are on their way', async () => {
    const begun = 'select 1 from payments where merchant_id = :account and cycle = 3';
    return (await service.rows(begun, { account: shop.account })).length > 0;
  });
  await first.kill();
  await areCharged(3);
  await second.kill();
  await assertChargedOnce(shop, COUNT, 3);
  await assertAcquirerAgrees(service, shop.account);
});

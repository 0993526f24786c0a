/** Workers that issue the boletos of subscriptions, and are killed. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { now } from '../../services/deps.ts';
import { RECOVERY_POINTS } from '../../services/recovery-points.ts';
import { DAY_MS, MINUTE_MS } from '../support/clock-calls.ts';
import { reconcile } from '../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';
import { runBillingSteps } from '../support/run-jobs.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { created, Shop } from '../support/shop.ts';
import { issuedBody, PAYER, PAYS_ITSELF } from '../support/subscriptions/issued-charges.ts';
import {
  assertChargedOnce,
  hurryReconciler,
  jump,
  paidCycles,
  toNoon,
} from '../support/subscriptions/renewals.ts';
import { subscribe } from '../support/subscriptions/subscription-calls.ts';
import { until } from '../support/until.ts';

/** Longer than the reconciler leaves a new operation alone. */
const SOON_MS = 25_000;
/** How far the clock is moved for a cycle: its boleto is issued 5 days before the billing date. */
const ISSUED_AFTER_MS = { 2: toNoon(26 * DAY_MS), 3: toNoon(57 * DAY_MS) };
const LIMIT_MS = 60_000;

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

/** A shop with monthly subscriptions by boleto whose first cycle is paid. */
async function shopWith(count: number): Promise<Shop> {
  service.setAhead(0);
  const shop = await Shop.open(service);
  const customer = { ...PAYER, documents: [{ type: 'cpf', value: PAYS_ITSELF }] };
  const body = () => issuedBody({ payment_method: 'bank_slip' }, { customer });
  for (let made = 0; made < count; made++) await created(subscribe(shop, body()));
  await payBoletos(shop, 0);
  return shop;
}

/** Lets the customers pay the boletos that were issued by this time of the shop's clock, a minute later. */
async function payBoletos(shop: Shop, offset_ms: number): Promise<void> {
  await jump(shop, offset_ms + MINUTE_MS);
  const { deps } = service;
  const clock = { offset_ms: offset_ms + MINUTE_MS, pinnedAt: null };
  await service.control.runDue(shop.account, now(deps, { clock }));
}

/** How many boletos of a cycle wait for their payer or are paid. */
async function boletosOf({ account }: Shop, cycle: number): Promise<number> {
  const rows = await service.rows(
    `select 1 from payments
      where merchant_id = :account and cycle = :cycle and status in ('waiting_payment', 'paid')`,
    { account, cycle },
  );
  return rows.length;
}

describe('a worker that is killed while it issues boletos', () => {
  const COUNT = 3;
  for (const [moment, point, request] of [
    ['before they are committed', 'presented_processing', '2'],
    ['before they are registered', RECOVERY_POINTS.intentCommitted, '1'],
    ['after one was registered and before its commit', RECOVERY_POINTS.acquirerAnswered, '2'],
    ['after one was committed', RECOVERY_POINTS.outcomeCommitted, '2'],
  ] as const) {
    test(`${moment}: another worker issues one for each subscription`, async () => {
      const shop = await shopWith(COUNT);
      const { ended } = await startServiceProcess(service, {
        program: 'crashing-program.ts',
        jobs: true,
        env: { CRASH_AT: point, CRASH_AT_REQUEST: request },
      });
      await jump(shop, ISSUED_AFTER_MS[2]);
      assert.deepEqual(await ended, [null, 'SIGKILL']);
      await reconcile(service, SOON_MS);
      await runBillingSteps(service.deps);
      assert.equal(await boletosOf(shop, 2), COUNT);
      await payBoletos(shop, ISSUED_AFTER_MS[2] + SOON_MS);
      await assertChargedOnce(shop, COUNT, 2);
      await assertAcquirerAgrees(service, shop.account);
    });
  }
});

test('two workers that issue boletos, of which one is killed, neither skip nor repeat a cycle', async () => {
  const COUNT = 8;
  const shop = await shopWith(COUNT);
  const [first, second] = await Promise.all([
    startServiceProcess(service, { jobs: true }),
    startServiceProcess(service, { jobs: true }),
  ]);
  const arePaid = async (cycle: 2 | 3) => {
    const areIssued = async () => {
      await hurryReconciler(service);
      return (await boletosOf(shop, cycle)) === COUNT;
    };
    await until(`the boletos of cycle ${cycle} are issued`, areIssued, LIMIT_MS);
    await payBoletos(shop, ISSUED_AFTER_MS[cycle]);
    const isPaid = async () => (await paidCycles(shop)).every((count) => count === cycle);
    await until(`cycle ${cycle} is paid`, isPaid, LIMIT_MS);
  };
  await jump(shop, ISSUED_AFTER_MS[2]);
  await arePaid(2);
  await jump(shop, ISSUED_AFTER_MS[3]);
  await until('boletos are being issued', async () => {
    const begun = 'select 1 from payments where merchant_id = :account and cycle = 3';
    return (await service.rows(begun, { account: shop.account })).length > 0;
  });
  await first.kill();
  await arePaid(3);
  await second.kill();
  await assertChargedOnce(shop, COUNT, 3);
  await assertAcquirerAgrees(service, shop.account);
});

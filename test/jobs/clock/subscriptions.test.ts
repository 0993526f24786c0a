/** Advances of the clock over many cycles of subscriptions. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { stepTime } from '../../../domain/subscriptions/billing-dates.ts';
import {
  advance,
  advanceBy,
  clockNow,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
} from '../../support/clock-calls.ts';
import { assertLedgerAgrees } from '../../support/ledger/ledger-records.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { startServiceProcess } from '../../support/processes/service-process.ts';
import { resumeAdvances, runBillingSteps } from '../../support/run-jobs.ts';
import { type Json, request } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { issuedBody, PAYER, PAYS_ITSELF } from '../../support/subscriptions/issued-charges.ts';
import { authorized, scriptCharges } from '../../support/subscriptions/pix-recurring-calls.ts';
import { script } from '../../support/subscriptions/plan-change-calls.ts';
import { assertChargedOnce, paidCycles } from '../../support/subscriptions/renewals.ts';
import { subscribe, subscribed } from '../../support/subscriptions/subscription-calls.ts';
import { until } from '../../support/until.ts';

const DAYS = 130;
/** Longer than the lease of a process that advances a clock. */
const LEASE_OVER_MS = 31 * SECOND_MS;

const service = await sharedService({ jobs: false });
beforeEach(() => service.setAhead(0));

/** A shop with subscriptions of three methods, some of whose charges are refused. Returns their codes. */
async function shopWithHistory(): Promise<Shop> {
  const shop = await Shop.open(service);
  const documents = [{ type: 'cpf', value: PAYS_ITSELF }];
  const customer = { ...PAYER, documents };
  const byCard = await subscribed(shop, { code: 'card' });
  await script(shop, byCard.card_id, 'insufficient_funds', 'do_not_honor', 'approve', 'approve', 'lost_card');
  await subscribed(shop, { code: 'card with a trial', trial_days: 9 });
  const boleto = issuedBody({ payment_method: 'bank_slip' }, { code: 'boleto', customer });
  await created(subscribe(shop, boleto));
  const customerId = await shop.customer();
  await authorized(shop, { code: 'pix' }, { customerId, terms: { retry_policy: true } });
  await scriptCharges(shop, customerId, 'AM02', 'approve', 'approve', 'AB10', 'AC06');
  await authorized(shop, { code: 'weekly pix', interval: 'weekly' });
  return shop;
}

/** The events of later days than the first, of each subscription and of its payments, in their order. */
async function storiesAfterToday(shop: Shop, codes: ReadonlyMap<string, string>) {
  const events: Json[] = [];
  let cursor: string | null = null;
  do {
    const page: Json = await shop.get(`/events?per_page=100${cursor === null ? '' : `&cursor=${cursor}`}`);
    events.unshift(...page.data.reverse());
    cursor = page.pagination.next_cursor;
  } while (cursor !== null);
  const tomorrow = Date.now() + DAY_MS / 2;
  const stories: Record<string, string[]> = {};
  for (const { event, created_at, data: object } of events) {
    const code = codes.get(object.subscription_id ?? object.id);
    if (code === undefined || Date.parse(created_at) < tomorrow) continue;
    stories[code] ??= [];
    stories[code].push(`${created_at} ${event} ${object.status} ${object.amount ?? object.next_charge_at}`);
  }
  return stories;
}

async function codesOf(shop: Shop): Promise<ReadonlyMap<string, string>> {
  const { data } = await shop.get('/subscriptions?per_page=100');
  return new Map(data.map(({ id, code }: Json) => [id, code]));
}

describe('months of subscriptions of all methods', () => {
  test('have the same events every time, in one move of the clock or in several', async () => {
    const [once, again, inSteps] = [
      await shopWithHistory(),
      await shopWithHistory(),
      await shopWithHistory(),
    ];
    const target_ms = (await clockNow(once)) + DAYS * DAY_MS;
    const to = { to: new Date(target_ms).toISOString() };
    const { steps } = await advance(once, to);
    await advance(again, to);
    for (let days = 23; days < DAYS; days += 23) await advance(inSteps, { days: 23 });
    await advance(inSteps, to);

    const times = steps.map(({ at }: Json) => at);
    assert.deepEqual(times, times.toSorted());
    const expected = await storiesAfterToday(once, await codesOf(once));
    assert.deepEqual(Object.keys(expected).sort(), [
      'boleto',
      'card',
      'card with a trial',
      'pix',
      'weekly pix',
    ]);
    for (const shop of [again, inSteps]) {
      assert.deepEqual(await storiesAfterToday(shop, await codesOf(shop)), expected);
    }
    for (const shop of [once, again, inSteps]) await assertAcquirerAgrees(service, shop.account);
  });

  test('has each charge whose answer was lost at its own time, however many fall due at once', async () => {
    /** More than one round of the reconciler. */
    const COUNT = 25;
    const shop = await Shop.open(service);
    for (let made = 0; made < COUNT; made++) await subscribed(shop, { trial_days: 1 });
    const lost = service.intercept(({ perform }) => ({
      authorize: async (command) => {
        await perform(command);
        return { kind: 'unknown', cause: 'time_out' };
      },
    }));
    await advance(shop, { days: 95 });
    for (let moved = 0; moved < 4; moved++) await advance(shop, { days: 17 });
    lost.undo();
    const paid = await service.rows<{ billing_date: string; paid_at: Date }>(
      'select billing_date, paid_at from subscription_invoices where merchant_id = :account',
      { account: shop.account },
    );
    assert.equal(paid.length, COUNT * 6);
    for (const { billing_date, paid_at } of paid) assert.deepEqual(paid_at, stepTime(billing_date));
  });

  test('leave the due subscriptions of another merchant alone', async () => {
    const [moved, other] = [await Shop.open(service), await Shop.open(service)];
    await subscribed(moved);
    const { id } = await subscribed(other);
    const { id: waiting } = await subscribed(other, { trial_days: 3 });
    await advance(other, { days: 2 });
    service.setAhead(32 * DAY_MS);
    const before = [await other.get('/events?per_page=100'), await other.get('/subscriptions')];
    const clock = await clockNow(other);
    await advance(moved, { days: 365 });
    assert.ok((await paidCycles(moved))[0]! > 12);
    assert.deepEqual([await other.get('/events?per_page=100'), await other.get('/subscriptions')], before);
    assert.ok((await clockNow(other)) - clock < HOUR_MS);
    await runBillingSteps(service.deps);
    assert.equal((await other.get(`/subscriptions/${id}`)).successful_charges, 2);
    assert.equal((await other.get(`/subscriptions/${waiting}`)).successful_charges, 1);
  });

  test('is continued by another process when the first one is killed, and charges each cycle once', async () => {
    const COUNT = 5;
    const shop = await Shop.open(service);
    for (let made = 0; made < COUNT; made++) await subscribed(shop);
    const process = await startServiceProcess(service);
    const asked = request(process.url, shop.onboarded.apiKey, 'POST', '/sandbox/clock/advance', {
      body: { days: DAYS },
    });
    const cut = assert.rejects(asked);
    await until('some cycles are paid', async () => (await paidCycles(shop)).some((cycles) => cycles > 1));
    await process.kill();
    await cut;
    assert.equal((await shop.get('/sandbox/clock')).status, 'advancing');
    service.setAhead(LEASE_OVER_MS);
    await until('the clock has arrived', async () => {
      await resumeAdvances(service.deps);
      return (await shop.get('/sandbox/clock')).status === 'idle';
    });
    await advanceBy(shop, MINUTE_MS);
    const [cycles] = await paidCycles(shop);
    assert.equal(cycles, 5);
    await assertChargedOnce(shop, COUNT, cycles);
    await assertLedgerAgrees(service, shop.account);
  });
});

/** Workers that charge due cycles of the same merchant. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts';
import { lockSubscription } from '../../../db/subscriptions/subscriptions.ts';
import { BILLING_STEPS } from '../../../jobs/subscriptions/billing-steps.ts';
import type { Deps } from '../../../services/deps.ts';
import { runDueStepsUnlessAdvancing } from '../../../services/payments/run-due-steps.ts';
import { runDueBillingUnlessAdvancing } from '../../../services/subscriptions/run-due-billing.ts';
import { DAY_MS, HOUR_MS } from '../../support/clock-calls.ts';
import { shopsInSlot } from '../../support/db/shops-in-slot.ts';
import { runBillingSteps, runDueStepsToEnd, runPaymentSteps } from '../../support/run-jobs.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import { subscribe, subscribed } from '../../support/subscriptions/subscription-calls.ts';
import { copySubscriptions } from '../../support/subscriptions/subscription-copies.ts';
import { until } from '../../support/until.ts';

const service = await sharedService({ jobs: false });
const { deps } = service;
/** Of one batch. */
const BATCH = 64;
const AFTER_RENEWAL_MS = 32 * DAY_MS;
/** The transactions that wait for a row. */
const LOCK_WAITS = "select 1 from pg_locks where locktype = 'transactionid' and not granted";
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

/** Creates subscriptions of the shop, and lets their second cycle fall due. */
async function dueSubscriptions(count: number): Promise<void> {
  const { id } = await subscribed(shop);
  // Only this one is copied: those of earlier tests are not due any more.
  await service.rows(
    `update subscriptions set code = 'copy of ' || id where id <> :id and code not like 'copy %'`,
    { id },
  );
  await copySubscriptions((sql) => service.rows(sql), { count: count - 1 });
  service.setAhead(AFTER_RENEWAL_MS);
}

/** How many payments the second cycles have, and how many subscriptions have two paid cycles. */
async function charged(): Promise<{ payments: number; subscriptions: number }> {
  const [row] = await service.rows<{ payments: number; subscriptions: number }>(
    `select (select count(*) from payments where merchant_id = :account and cycle = 2 and captured_centavos > 0) as payments,
            (select count(*) from subscriptions where merchant_id = :account and paid_cycles = 2) as subscriptions`,
    { account: shop.account },
  );
  return row!;
}

/** Dependencies whose acquirer receives each charge, and answers when `mayAnswer` resolves. */
function answering(mayAnswer: (charge: number) => Promise<unknown>): Deps {
  let charges = 0;
  const perform: typeof deps.acquirer.perform = async (command) => {
    charges += 1;
    await mayAnswer(charges);
    return deps.acquirer.perform(command);
  };
  return { ...deps, acquirer: { ...deps.acquirer, perform } };
}

/** Dependencies that call `onTransaction` before each transaction of a merchant. */
function beforeTransactions(onTransaction: () => Promise<unknown>): Deps {
  const transaction: typeof deps.db.transaction = async (scope, work) => {
    await onTransaction();
    return deps.db.transaction(scope, work);
  };
  return { ...deps, db: { ...deps.db, transaction } };
}

test('each of two workers sends charges while the other waits for the acquirer', async () => {
  await dueSubscriptions(2 * BATCH + 10);
  const sent = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const worker = (own: number) =>
    runBillingSteps(
      answering(() => {
        sent[own]!.resolve();
        return sent[1 - own]!.promise;
      }),
    );
  const steps = await Promise.all([worker(0), worker(1)]);
  assert.equal(steps[0] + steps[1], 2 * BATCH + 10);
  assert.deepEqual(await charged(), { payments: 2 * BATCH + 10, subscriptions: 2 * BATCH + 10 });
});

test('a batch is not claimed again while its worker reads the means of payment', async () => {
  await dueSubscriptions(5);
  const others: number[] = [];
  const steps = await runBillingSteps(
    beforeTransactions(async () => {
      if (others.length === 0) others.push(await runBillingSteps(deps));
    }),
  );
  assert.deepEqual([steps, others], [5, [0]]);
  assert.deepEqual(await charged(), { payments: 5, subscriptions: 5 });
});

test('a batch whose worker has died is claimed by another when its lease ends', async () => {
  await dueSubscriptions(5);
  const dead = () => Promise.reject(new DatabaseUnavailable(new Error('The process dies.')));
  const db = { ...deps.db, transaction: dead, execute: dead };
  const dying = { ...deps, db, log: { ...deps.log, error() {} } };
  assert.equal(await runBillingSteps(dying), 0);
  assert.equal(await runBillingSteps(deps), 0);
  service.setAhead(AFTER_RENEWAL_MS + 21_000);
  assert.equal(await runBillingSteps(deps), 5);
  assert.deepEqual(await charged(), { payments: 5, subscriptions: 5 });
});

test('a batch that cannot be written is claimed again at once', async () => {
  await dueSubscriptions(5);
  let failures = 1;
  const failing = beforeTransactions(async () => {
    if (failures-- > 0) throw new DatabaseUnavailable(new Error('A lock was held for too long.'));
  });
  assert.equal(await runBillingSteps({ ...failing, log: { ...deps.log, error() {} } }), 0);
  assert.equal(await runBillingSteps(deps), 5);
  assert.deepEqual(await charged(), { payments: 5, subscriptions: 5 });
});

test('a worker that has lost its lease does not end the lease of another', async () => {
  await dueSubscriptions(5);
  const leases = async () =>
    (
      await service.rows<{ at: Date | null }>(
        `select distinct leased_until as at from subscriptions
       where merchant_id = :account and due_at is not null`,
        { account: shop.account },
      )
    ).map(({ at }) => at?.getTime());
  let claimedByOther: (number | undefined)[] | undefined;
  const slow = beforeTransactions(async () => {
    service.setAhead(AFTER_RENEWAL_MS + 21_000);
    // The second worker claims the same rows, and fails like a process that dies.
    const dead = () => Promise.reject(new DatabaseUnavailable(new Error('The process dies.')));
    const db = { ...deps.db, transaction: dead, execute: dead };
    await runBillingSteps({ ...deps, db, log: { ...deps.log, error() {} } });
    claimedByOther = await leases();
    throw new DatabaseUnavailable(new Error('A lock was held for too long.'));
  });
  await runBillingSteps({ ...slow, log: { ...deps.log, error() {} } });
  assert.equal(typeof claimedByOther?.[0], 'number');
  assert.deepEqual(await leases(), claimedByOther);
});

test('charges nothing more when the merchant is suspended between two batches, or between a claim and its transaction', async () => {
  for (const [transactions, charges] of [
    [1, BATCH],
    [0, 0],
  ] as const) {
    shop = await Shop.open(service);
    service.setAhead(0);
    await dueSubscriptions(2 * BATCH);
    const setStatus = (status: string) =>
      service.rows('update merchants set status = :status where merchant_id = :account', {
        account: shop.account,
        status,
      });
    let begun = 0;
    const suspended = beforeTransactions(async () => {
      begun += 1;
      if (begun > transactions) await setStatus('suspended');
    });
    assert.equal(await runBillingSteps(suspended), charges);
    assert.equal(await runBillingSteps(deps), 0);
    assert.equal((await charged()).payments, charges);
    await setStatus('approved');
    assert.equal(await runBillingSteps(deps), 2 * BATCH - charges);
  }
});

test('another merchant is served before one with many batches has ended', async () => {
  const [giant, other] = await shopsInSlot(service, 7, 2);
  await subscribed(other!);
  shop = giant!;
  await dueSubscriptions(1);
  await service.rows(
    `update subscriptions set due_at = due_at - interval '1 hour' where merchant_id = :account`,
    {
      account: shop.account,
    },
  );
  let left = 200;
  const takeBatch = async () => {
    left -= 1;
    return { steps: left < 0 ? 0 : 1, begun: [], mayHaveMore: left > 0 };
  };
  const leftAfterOther: number[] = [];
  await runDueStepsToEnd(deps, {
    ...BILLING_STEPS,
    concurrency: 1,
    run: async (_, scope) => {
      if (scope.merchantId === shop.account) return runDueStepsUnlessAdvancing(deps, scope, takeBatch);
      const steps = await runDueBillingUnlessAdvancing(deps, scope);
      if (steps > 0) leftAfterOther.push(left);
      return steps;
    },
  });
  assert.equal(leftAfterOther.length, 1);
  assert.ok(leftAfterOther[0]! > 0 && leftAfterOther[0]! < 200, `${leftAfterOther} batches were left`);
  assert.ok(left <= 0, `${left} batches were not run`);
  await runBillingSteps(deps);
});

describe('the next batch', () => {
  test('begins when half of the charges are answered', async () => {
    await dueSubscriptions(BATCH + 10);
    const { promise: next, resolve } = Promise.withResolvers<void>();
    const steps = await runBillingSteps(
      answering(async (charge) => {
        if (charge > BATCH) resolve();
        else if (charge > BATCH / 2) await next;
      }),
    );
    assert.equal(steps, BATCH + 10);
    assert.deepEqual(await charged(), { payments: BATCH + 10, subscriptions: BATCH + 10 });
  });

  test('does not begin before all charges of the batch before the last one are answered', async () => {
    await dueSubscriptions(4 * BATCH);
    let inFlight = 0;
    let most = 0;
    const { promise: second, resolve } = Promise.withResolvers<void>();
    const counting = answering(async (charge) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      if (charge > BATCH) resolve();
      else if (charge > BATCH / 2) await second;
      inFlight -= 1;
    });
    assert.equal(await runBillingSteps(counting), 4 * BATCH);
    assert.ok(most <= BATCH + BATCH / 2, `${most} charges were sent at the same time`);
  });
});

test('a step is taken as soon as the withdrawn charge ends, also if that is while its batch is prepared', async () => {
  const { id, customer_id } = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
  const body = { payment_method: 'credit_card', credit_card: { id: await shop.card(customer_id) } };
  assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
  // The steps of a day run from 06:00.
  service.setAhead(6 * HOUR_MS);
  await runBillingSteps(beforeTransactions(() => runPaymentSteps(deps)));
  await runBillingSteps(deps);
  const { status, successful_charges } = await shop.get(`/subscriptions/${id}`);
  assert.deepEqual([status, successful_charges], ['active', 1]);
});

test('a step is not kept from the next worker because a request has locked its subscription for a moment', async () => {
  const { id } = await subscribed(shop);
  service.setAhead(AFTER_RENEWAL_MS);
  const { merchant } = shop.onboarded;
  const isUnlocked = Promise.withResolvers<void>();
  let request: Promise<void> | undefined;
  /** Locks the subscription after its step is claimed, and until the step is released or waits for that. */
  const db: typeof deps.db = {
    ...deps.db,
    transaction: async (scope, work) => {
      const isLocked = Promise.withResolvers<void>();
      request ??= deps.db.transaction(merchant, async (tx) => {
        await lockSubscription(tx, merchant, id);
        isLocked.resolve();
        await isUnlocked.promise;
      });
      await isLocked.promise;
      return deps.db.transaction(scope, work);
    },
    execute: async (scope, sql, params) => {
      const executed = deps.db.execute(scope, sql, params);
      const waits = until('it waits', async () => (await service.rows(LOCK_WAITS)).length > 0);
      waits.catch(() => {});
      await Promise.race([executed, waits]);
      isUnlocked.resolve();
      await request;
      return executed;
    },
  };
  await runDueBillingUnlessAdvancing({ ...deps, db }, merchant);
  assert.deepEqual(await charged(), { payments: 0, subscriptions: 0 });
  await runDueBillingUnlessAdvancing(deps, merchant);
  assert.deepEqual(await charged(), { payments: 1, subscriptions: 1 });
});

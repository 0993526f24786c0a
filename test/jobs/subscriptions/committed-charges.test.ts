/** Charges that are committed are sent, whatever happens to the other subscriptions of their batch. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { lockCustomer } from '../../../db/customers/customers.ts';
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts';
import { lockSubscription } from '../../../db/subscriptions/subscriptions.ts';
import type { Deps } from '../../../services/deps.ts';
import { runDueBillingUnlessAdvancing } from '../../../services/subscriptions/run-due-billing.ts';
import { DAY_MS } from '../../support/clock-calls.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';
import { until } from '../../support/until.ts';

const service = await sharedService({ jobs: false });
const { deps } = service;
const COUNT = 5;
const LOST = new DatabaseUnavailable(new Error('The connection is lost.'));
let shop: Shop;
let ids: string[];
let customerIds: string[];
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
  ids = [];
  customerIds = [];
  for (let n = 0; n < COUNT; n++) {
    const { id, customer_id } = await subscribed(shop);
    ids.push(id);
    customerIds.push(customer_id);
  }
  service.setAhead(32 * DAY_MS);
});

/** The customer of the subscription whose step comes after so many others. */
async function dueCustomer(place: number): Promise<string> {
  const rows = await service.rows<{ id: string }>(
    'select id from subscriptions where merchant_id = :account order by due_at, id',
    { account: shop.account },
  );
  return customerIds[ids.indexOf(rows[place]!.id)]!;
}

/** How many second cycles are paid, and how many charges were refused because they were not sent. */
async function charged(): Promise<{ paid: number; refused: number }> {
  const [row] = await service.rows<{ paid: number; refused: number }>(
    `select count(*) filter (where captured_centavos > 0) as paid,
            count(*) filter (where status in ('refused', 'processing')) as refused
       from payments where merchant_id = :account and cycle = 2`,
    { account: shop.account },
  );
  return row!;
}

/** A promise that resolves when so many charges were received, and dependencies with the acquirer that counts them. */
function counting(expected: number): { sent: Promise<void>; acquirer: Deps['acquirer'] } {
  const { promise: sent, resolve } = Promise.withResolvers<void>();
  let received = 0;
  const perform: typeof deps.acquirer.perform = (command) => {
    received += 1;
    if (received === expected) resolve();
    return deps.acquirer.perform(command);
  };
  return { sent, acquirer: { ...deps.acquirer, perform } };
}

/**
 * A database in which the transaction of the batch fails, so that its steps are taken one by one. `beforeStep` gets the
 * number of the step, from 1.
 */
function withFailingBatch(beforeStep: (step: number) => unknown): typeof deps.db {
  let transactions = 0;
  return {
    ...deps.db,
    transaction: async (scope, work) => {
      const step = transactions++;
      if (step === 0) throw new Error('A step cannot be taken.');
      await beforeStep(step);
      return deps.db.transaction(scope, work);
    },
  };
}

test('while a request holds the lock of one of the subscriptions', async () => {
  const { merchant } = shop.onboarded;
  const { sent, acquirer } = counting(COUNT - 1);
  const { promise: isOver, resolve: onOver } = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  let request: Promise<void> | undefined;
  const db: typeof deps.db = {
    ...deps.db,
    transaction: async (scope, work) => {
      // After the claim. It ends when the other charges are sent.
      request ??= deps.db.transaction(merchant, async (tx) => {
        await lockSubscription(tx, merchant, ids[2]!);
        isLocked.resolve();
        await Promise.race([sent, isOver]);
      });
      await isLocked.promise;
      return deps.db.transaction(scope, work);
    },
  };
  const steps = await runDueBillingUnlessAdvancing({ ...deps, db, acquirer }, merchant).finally(onOver);
  await request;
  assert.equal(steps, COUNT - 1);
  assert.deepEqual(await charged(), { paid: COUNT - 1, refused: 0 });
  assert.equal(await runDueBillingUnlessAdvancing(deps, merchant), 1);
  assert.deepEqual(await charged(), { paid: COUNT, refused: 0 });
});

test('although the others cannot be put back', async () => {
  const { merchant } = shop.onboarded;
  const lost: string[] = [];
  const warned: unknown[] = [];
  const db: typeof deps.db = {
    ...deps.db,
    // The subscription is changed between the claim and the transaction, and no longer due.
    transaction: async (scope, work) => {
      await service.rows("update subscriptions set due_at = due_at + interval '1 year' where id = :id", {
        id: ids[2]!,
      });
      return deps.db.transaction(scope, work);
    },
    execute: async (_scope, sql) => {
      lost.push(sql);
      throw LOST;
    },
  };
  const log = { ...deps.log, warn: (...line: unknown[]) => warned.push(line[1]) };
  assert.equal(await runDueBillingUnlessAdvancing({ ...deps, db, log }, merchant), COUNT - 1);
  assert.equal(lost.length, 1);
  assert.deepEqual(warned, ['billing steps wait for the end of their lease']);
  assert.deepEqual(await charged(), { paid: COUNT - 1, refused: 0 });
});

test('although the database is lost when the steps are taken one by one', async () => {
  const { merchant } = shop.onboarded;
  const wall = deps.wall();
  const db = withFailingBatch((step) => {
    if (step === 3) throw LOST;
  });
  assert.equal(await runDueBillingUnlessAdvancing({ ...deps, db, wall: () => wall }, merchant), 2);
  assert.deepEqual(await charged(), { paid: 2, refused: 0 });
  assert.equal(await runDueBillingUnlessAdvancing(deps, merchant), COUNT - 2);
  assert.deepEqual(await charged(), { paid: COUNT, refused: 0 });
});

test('although the steps that are taken one by one take long', async () => {
  const { merchant } = shop.onboarded;
  let wall = deps.wall();
  const db = withFailingBatch((step) => {
    // It waits for a lock.
    if (step === 3) wall = new Date(wall.getTime() + 9_000);
  });
  const slow = { ...deps, db, wall: () => wall };
  assert.equal(await runDueBillingUnlessAdvancing(slow, merchant), 3);
  assert.deepEqual(await charged(), { paid: 3, refused: 0 });
  assert.equal(await runDueBillingUnlessAdvancing(deps, merchant), COUNT - 3);
  assert.deepEqual(await charged(), { paid: COUNT, refused: 0 });
});

test('before a step that is taken alone has waited long for a lock', async () => {
  const { merchant } = shop.onboarded;
  const { sent, acquirer } = counting(2);
  const { promise: isOver, resolve: onOver } = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  let request: Promise<void> | undefined;
  const db = withFailingBatch(async () => {
    // The customer of the third step, whose payment refers to it.
    request ??= deps.db.transaction(merchant, async (tx) => {
      const third = await dueCustomer(2);
      await lockCustomer(tx, merchant, { by: 'id', value: third });
      isLocked.resolve();
      await Promise.race([sent, isOver]);
    });
    await isLocked.promise;
  });
  const began = performance.now();
  assert.equal(await runDueBillingUnlessAdvancing({ ...deps, db, acquirer }, merchant).finally(onOver), 2);
  // An advance of the clock asks the acquirer for charges that are 10 s old.
  assert.ok(performance.now() - began < 8_000);
  await request;
  assert.deepEqual(await charged(), { paid: 2, refused: 0 });
  assert.equal(await runDueBillingUnlessAdvancing(deps, merchant), COUNT - 2);
  assert.deepEqual(await charged(), { paid: COUNT, refused: 0 });
});

test('steps are put back although a request holds the lock of one', async () => {
  const { merchant } = shop.onboarded;
  const isLocked = Promise.withResolvers<void>();
  const isPutBack = Promise.withResolvers<void>();
  let request: Promise<void> | undefined;
  const db: typeof deps.db = {
    ...deps.db,
    transaction: async () => {
      request = deps.db.transaction(merchant, async (tx) => {
        await lockSubscription(tx, merchant, ids[2]!);
        isLocked.resolve();
        await isPutBack.promise;
      });
      await isLocked.promise;
      throw LOST;
    },
  };
  const run = assert.rejects(runDueBillingUnlessAdvancing({ ...deps, db }, merchant), DatabaseUnavailable);
  await isLocked.promise;
  const leased = async () => {
    const statement =
      'select id from subscriptions where merchant_id = :account and leased_until is not null';
    const rows = await service.rows<{ id: string }>(statement, { account: shop.account });
    return rows.map(({ id }) => id);
  };
  await until('the others are put back', async () => (await leased()).join() === ids[2], 4_000).finally(
    isPutBack.resolve,
  );
  await run;
  await request;
  assert.deepEqual(await leased(), []);
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { takeOverClock } from '../../../db/clock/merchant-clocks.ts';
import { uuidV7 } from '../../../domain/identifiers.ts';
import { advanceClock } from '../../../services/clock/advance-clock.ts';
import { takeOverAdvance } from '../../../services/clock/take-over-advance.ts';
import { returnResult } from '../../../services/deps.ts';
import { authenticate } from '../../../services/merchants/authenticate.ts';
import { clockNow, DAY_MS, interceptNextDue, MINUTE_MS, SECOND_MS } from '../../support/clock-calls.ts';
import { lockPaymentRow } from '../../support/payments/payment-lock.ts';
import { startServiceProcess } from '../../support/processes/service-process.ts';
import { resumeAdvances } from '../../support/run-jobs.ts';
import { request } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';
import { until } from '../../support/until.ts';

/** Past the lease of a process that is at an advance. */
const LEASE_OVER_MS = 31 * SECOND_MS;

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

interface ClockRow {
  pinned_at: Date | null;
  leased_until: Date | null;
}

async function clockRow(): Promise<ClockRow | undefined> {
  const [row] = await service.rows<ClockRow>(
    'select pinned_at, leased_until from merchant_clocks where merchant_id = :account',
    { account: shop.account },
  );
  return row;
}

function changeLease(assignment: string): Promise<unknown> {
  const sql = `update merchant_clocks set ${assignment} where merchant_id = :account returning slot`;
  return service.rows(sql, { account: shop.account });
}

/** Waits until the shop's clock has reached an instant. */
function untilClockIsAt(at: string): Promise<void> {
  return until('the clock is there', async () => (await clockRow())?.pinned_at?.getTime() === Date.parse(at));
}

async function runUntilIdle(): Promise<void> {
  await until('the clock has arrived', async () => {
    await resumeAdvances(service.deps);
    return (await clockRow())?.pinned_at === null;
  });
}

async function countOf(paymentId: string, event: string): Promise<number> {
  return (await shop.eventNames(paymentId)).filter((name) => name === event).length;
}

describe('an advance whose process was killed', () => {
  test('is continued by another process after its lease, and does each step once', async () => {
    const early = await shop.pixPayment();
    const held = await shop.pixPayment();
    const late = await shop.pixPayment();
    const process = await startServiceProcess(service);
    await using hold = await lockPaymentRow(service, held.id);
    const target = new Date((await clockNow(shop)) + DAY_MS);
    const asked = request(process.url, shop.onboarded.apiKey, 'POST', '/sandbox/clock/advance', {
      body: { to: target.toISOString() },
    });
    const cut = assert.rejects(asked);
    await untilClockIsAt(held.pix.expires_at);
    await process.kill();
    await cut;
    await hold.release();

    assert.equal(await resumeAdvances(service.deps), 0, 'its lease is not over');
    const stopped = await shop.get('/sandbox/clock');
    assert.deepEqual([stopped.status, stopped.now], ['advancing', held.pix.expires_at]);
    assert.equal((await shop.payment(held.id)).status, 'waiting_payment');

    service.setAhead(LEASE_OVER_MS);
    await runUntilIdle();
    const { status, now } = await shop.get('/sandbox/clock');
    assert.equal(status, 'idle');
    assert.ok(Date.parse(now) >= target.getTime() && Date.parse(now) < target.getTime() + MINUTE_MS);
    for (const { id, pix } of [early, held, late]) {
      const payment = await shop.payment(id);
      assert.deepEqual([payment.status, payment.updated_at], ['expired', pix.expires_at]);
      assert.equal(await countOf(id, 'payment.expired'), 1);
    }
    const steps = await service.rows<{ object_id: string }>(
      'select object_id from clock_steps where merchant_id = :account order by id',
      { account: shop.account },
    );
    assert.deepEqual(
      steps.map((step) => step.object_id),
      [early.id, held.id, late.id],
    );
  });

  test('is completed if only its end is missing, and the repeated request does not move the clock', async () => {
    const { id } = await shop.pixPayment();
    const { merchant } = await authenticate(service.deps, shop.onboarded.apiKey);
    const dies = async () => assert.fail('dead');
    const move = { id: uuidV7(Date.now(), service.deps.random), isRerun: false, to: null, days: 1 };
    await assert.rejects(advanceClock(service.deps, merchant, move, dies));
    // All has run, and the end was undone with the answer.
    assert.equal((await shop.payment(id)).status, 'expired');
    assert.equal((await shop.get('/sandbox/clock')).status, 'advancing');
    service.setAhead(LEASE_OVER_MS);
    // What is left of an instant follows what another process has done.
    const expired = new Date((await shop.payment(id)).updated_at);
    await changeLease(`pinned_at = '${expired.toISOString()}'`);
    const lease = { leaseId: randomUUID(), leasedUntil: new Date(0), wall: service.deps.wall() };
    const taken = await service.deps.db.transaction(merchant, (tx) => takeOverAdvance(tx, merchant, lease));
    assert.equal(taken!.pinnedAt!.getTime(), expired.getTime() + 1);
    await runUntilIdle();
    assert.equal(await countOf(id, 'payment.expired'), 1);
    // The request that is run again finds its own advance, and does not move a second time.
    const again = await advanceClock(service.deps, merchant, { ...move, isRerun: true }, returnResult);
    assert.deepEqual([again.target, again.steps.total, again.events.total], [null, 1, 1]);
    assert.ok((await clockNow(shop)) < Date.now() + DAY_MS + MINUTE_MS);
  });
});

test('a worker looks for abandoned advances by itself', async () => {
  const { id } = await shop.pixPayment();
  const { merchant } = await authenticate(service.deps, shop.onboarded.apiKey);
  const move = { id: uuidV7(Date.now(), service.deps.random), isRerun: false, to: null, days: 1 };
  await assert.rejects(advanceClock(service.deps, merchant, move, async () => assert.fail('dead')));
  await changeLease('leased_until = to_timestamp(0)');
  const worker = await startServiceProcess(service, { jobs: true });
  await until('the clock has arrived', async () => (await clockRow())?.pinned_at === null);
  await worker.kill();
  assert.equal(await countOf(id, 'payment.expired'), 1);
});

describe('an advance under way', () => {
  test('is not taken over during its lease, and the first process stops once it is', async () => {
    const { id } = await shop.pixPayment();
    const stalled = Promise.withResolvers<void>();
    const stall = interceptNextDue(service, (real) => stalled.promise.then(real));
    const asked = shop.post('/sandbox/clock/advance', { days: 1 });
    await until('the clock has stopped', async () => (await clockRow())?.pinned_at != null);
    assert.equal(await resumeAdvances(service.deps), 0);
    // Stalled for longer than its lease, it finds that another has it.
    await changeLease('lease_id = gen_random_uuid()');
    stalled.resolve();
    const { status, body } = await asked;
    stall.undo();
    assert.deepEqual([status, body.status, body.counts.steps], [202, 'advancing', 0]);
    await changeLease('leased_until = to_timestamp(0)');
    const claim = () => {
      const leasedUntil = new Date(Date.now() + LEASE_OVER_MS);
      const lease = { leaseId: randomUUID(), leasedUntil, wall: new Date() };
      return takeOverClock(service.deps.db, shop.onboarded.merchant, lease);
    };
    const taken = await Promise.all(Array.from({ length: 10 }, claim));
    assert.equal(taken.filter((clock) => clock !== undefined).length, 1, 'several took it');
    await changeLease('leased_until = to_timestamp(0)');
    await runUntilIdle();
    assert.equal(await countOf(id, 'payment.expired'), 1);
  });

  test('postpones and reports a row that is due and cannot be done, and arrives', async () => {
    const { id } = await subscribed(shop);
    const due = await service.rows(
      `update subscriptions set due_at = :due where id = :id returning due_step`,
      { id, due: new Date(Date.now() + DAY_MS) },
    );
    assert.deepEqual(due, [{ due_step: 'open_cycle' }]);
    let ahead_ms = 0;
    const slow = interceptNextDue(service, (real) => {
      ahead_ms += 7 * SECOND_MS;
      service.setAhead(ahead_ms);
      return real();
    });
    const { status, body } = await shop.post('/sandbox/clock/advance', { days: 3 });
    assert.deepEqual([status, body.target === null], [202, false]);
    await resumeAdvances(service.deps);
    slow.undo();
    assert.equal((await shop.get('/sandbox/clock')).status, 'idle');
    const reports = service.log.filter(({ message }) => message.startsWith('due work delayed'));
    assert.equal(reports.at(-1)!.fields.merchant_id, shop.account);
  });

  test('charges nothing more once the merchant is suspended, and arrives', async () => {
    await subscribed(shop);
    let suspended: Promise<unknown> | undefined;
    const spy = interceptNextDue(service, async (real) => {
      suspended ??= shop.suspend();
      await suspended;
      return real();
    });
    const { status, body } = await shop.post('/sandbox/clock/advance', { days: 40 });
    spy.undo();
    assert.deepEqual([status, body.steps], [200, []]);
  });

  test('of one merchant that fails is logged and retried later, and does not delay that of another', async () => {
    const [broken, fine] = [await Shop.open(service), shop];
    for (const { onboarded } of [broken, fine]) {
      const { merchant } = await authenticate(service.deps, onboarded.apiKey);
      const id = uuidV7(Date.now(), service.deps.random);
      const dies = async () => assert.fail('dead');
      await assert.rejects(
        advanceClock(service.deps, merchant, { id, isRerun: false, to: null, days: 1 }, dies),
      );
    }
    const down = interceptNextDue(service, async (real, account) => {
      if (account === broken.account) throw new Error('down');
      return real();
    });
    service.setAhead(LEASE_OVER_MS);
    assert.equal(await resumeAdvances(service.deps), 1);
    assert.equal((await fine.get('/sandbox/clock')).status, 'idle');
    assert.equal((await broken.get('/sandbox/clock')).status, 'advancing');
    assert.equal(await resumeAdvances(service.deps), 0, 'it was tried again at once');
    const failures = service.log.filter(({ message }) => message === 'advancing a clock failed');
    assert.deepEqual(
      failures.map(({ fields }) => fields.merchant_id),
      [broken.account],
    );
    down.undo();
    service.setAhead(2 * LEASE_OVER_MS);
    assert.equal(await resumeAdvances(service.deps), 1);
    assert.equal((await broken.get('/sandbox/clock')).status, 'idle');
  });
});

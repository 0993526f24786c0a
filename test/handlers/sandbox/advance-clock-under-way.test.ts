import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  clockNow,
  DAY_MS,
  eventNames,
  interceptNextDue,
  MINUTE_MS,
  SECOND_MS,
  stepNames,
} from '../../support/clock-calls.ts';
import { resumeAdvances } from '../../support/run-jobs.ts';
import type { TestAnswer } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const post = (body: unknown) => shop.call('POST', '/sandbox/clock/advance', { body });

describe('202', () => {
  /** Wall time that each step takes: the third is beyond the time of a request. */
  const STEP_MS = 7 * SECOND_MS;

  test('returns the progress of a long advance, which continues by itself and then has its final answer', async () => {
    const payments = [];
    for (let i = 0; i < 4; i++) payments.push(await shop.pixPayment());
    const target = (await clockNow(shop)) + DAY_MS;
    const to = new Date(target).toISOString();
    let ahead_ms = 0;
    const slow = interceptNextDue(service, (real) => {
      ahead_ms += STEP_MS;
      service.setAhead(ahead_ms);
      return real();
    });
    const first = await shop.post('/sandbox/clock/advance', { to }, 'long-way');
    slow.undo();
    assert.equal(first.status, 202, first.text);
    const { body } = first;
    assert.deepEqual([body.status, Date.parse(body.target)], ['advancing', target]);
    assert.deepEqual([body.now, body.counts], [payments[2].pix.expires_at, { steps: 3, events: 3 }]);
    assert.deepEqual(stepNames(body), Array(3).fill('expire_pix'));
    assert.deepEqual(eventNames(body), Array(3).fill('payment.expired'));
    const { now, status } = await shop.get('/sandbox/clock');
    assert.deepEqual([now, status], [body.now, 'advancing']);

    await until('it has arrived', async () => {
      await resumeAdvances(service.deps);
      return (await shop.get('/sandbox/clock')).status === 'idle';
    });
    const last = await shop.payment(payments[3].id);
    assert.deepEqual([last.status, last.updated_at], ['expired', payments[3].pix.expires_at]);
    assert.ok((await clockNow(shop)) < target + MINUTE_MS);
    const again = await shop.post('/sandbox/clock/advance', { to }, 'long-way');
    assert.deepEqual([again.status, again.text], [202, first.text]);
  });

  test('does not tick during the advance: new objects have that time', async () => {
    const { pix } = await shop.pixPayment();
    let made: Awaited<ReturnType<Shop['pixPayment']>>;
    let asked = 0;
    const meanwhile = interceptNextDue(service, async (real) => {
      asked += 1;
      if (asked === 2) made = await shop.pixPayment();
      return real();
    });
    const { status, body } = await post({ days: 1 });
    meanwhile.undo();
    assert.equal(status, 200);
    assert.equal(made.created_at, pix.expires_at);
    assert.deepEqual(stepNames(body), ['expire_pix', 'expire_pix']);
    assert.equal(body.steps[1].object_id, made.id);
    assert.equal(Date.parse(body.steps[1].at), Date.parse(pix.expires_at) + 30 * MINUTE_MS);
  });
});

describe('409', () => {
  test('all but one of 20 simultaneous requests, and the clock moves once', async () => {
    const refused = Promise.withResolvers<void>();
    const answers: TestAnswer[] = [];
    const held = interceptNextDue(service, async (real) => {
      await refused.promise;
      return real();
    });
    const asked = Array.from({ length: 20 }, async (_, i) => {
      const answer = await shop.post('/sandbox/clock/advance', { days: 10 }, `key-${i}`);
      answers.push(answer);
      if (answers.length === 19) refused.resolve();
    });
    await Promise.all(asked);
    held.undo();
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)]);
    for (const { body, headers } of answers.slice(0, 19)) {
      assert.deepEqual(body, {
        error: { code: 'clock_advancing', message: 'The clock is already advancing.' },
      });
      assert.ok(Number(headers.get('retry-after')) >= 1);
    }
    assert.ok((await clockNow(shop)) < Date.now() + 10 * DAY_MS + 5 * MINUTE_MS);
  });

  test('does not store the key, and the retry after Retry-After moves the clock', async () => {
    const goOn = Promise.withResolvers<void>();
    const held = interceptNextDue(service, async (real) => {
      await goOn.promise;
      return real();
    });
    const first = shop.post('/sandbox/clock/advance', { days: 1 }, 'first');
    try {
      await until(
        'the clock is on its way',
        async () => (await shop.get('/sandbox/clock')).status === 'advancing',
      );
      for (let i = 0; i < 2; i++) {
        const early = await shop.post('/sandbox/clock/advance', { days: 2 }, 'second');
        assert.deepEqual([early.status, early.body.error.code], [409, 'clock_advancing']);
      }
    } finally {
      goOn.resolve();
      held.undo();
    }
    assert.equal((await first).status, 200);
    const again = await shop.post('/sandbox/clock/advance', { days: 2 }, 'second');
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [200, null], again.text);
  });

  test('no request after its end', async () => {
    assert.equal((await post({ days: 1 })).status, 200);
    assert.equal((await post({ days: 1 })).status, 200);
  });
});

describe('503', () => {
  test('an acquirer that does not answer; the same request continues the same advance', async () => {
    const { id } = await shop.pixPayment();
    const down = interceptNextDue(service, async () => {
      throw new Error('down');
    });
    const first = await shop.post('/sandbox/clock/advance', { days: 1 }, 'broken');
    down.undo();
    assert.equal(first.status, 503);
    assert.equal(first.body.error.code, 'service_unavailable');
    assert.ok(first.headers.has('retry-after'));
    assert.equal((await shop.get('/sandbox/clock')).status, 'advancing');
    service.setAhead(3 * SECOND_MS);
    const again = await shop.post('/sandbox/clock/advance', { days: 1 }, 'broken');
    assert.equal(again.status, 200, again.text);
    assert.equal(again.body.steps[0].object_id, id);
    assert.ok((await clockNow(shop)) < Date.now() + DAY_MS + 5 * MINUTE_MS);
  });
});

test('an advance that waits for a locked table delays no other merchant', async () => {
  const other = await Shop.open(service);
  const customer = await other.customer();
  const isLocked = Promise.withResolvers<void>();
  const isEnough = Promise.withResolvers<void>();
  const lock = service.deps.db.transaction(other.onboarded.merchant, async (tx) => {
    await tx.anywhere('lock table mandates in access exclusive mode');
    isLocked.resolve();
    await isEnough.promise;
  });
  await isLocked.promise;
  const advance = shop.post('/sandbox/clock/advance', { days: 1 });
  await until('the advance waits', async () => {
    const waiting = "select 1 from pg_locks where relation = 'mandates'::regclass and not granted";
    return (await service.rows(waiting)).length > 0;
  });
  const { status } = await other.call('GET', `/customers/${customer}`);
  isEnough.resolve();
  await lock;
  assert.equal(status, 200);
  assert.equal((await advance).status, 200);
});

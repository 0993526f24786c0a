import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { lockPayment } from '../../../db/payments/payments.ts';
import { lockSubscription } from '../../../db/subscriptions/subscriptions.ts';
import { SECOND_MS } from '../../support/clock-calls.ts';
import { rowsPerTable } from '../../support/db/merchant-rows.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { lockPaymentRow } from '../../support/payments/payment-lock.ts';
import { resumeAdvances } from '../../support/run-jobs.ts';
import { startTestService, type TestAnswer, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';
import { until } from '../../support/until.ts';

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const reset = (idempotencyKey?: string) => shop.post('/sandbox/reset', undefined, idempotencyKey);
const advanceOneDay = () => shop.post('/sandbox/clock/advance', { days: 1 });

/** Runs `meanwhile` when the next reset has emptied the acquirer's books. */
function interceptReset(meanwhile: () => Promise<void>): void {
  const { control } = service;
  const { reset: real } = control;
  control.reset = async (account) => {
    control.reset = real;
    const deleted = await real(account);
    await meanwhile();
    return deleted;
  };
}

/** The offsets of the shop's clock, here and at the acquirer. */
async function clockOffsets() {
  const [row] = await service.rows<{ ours: number; theirs: number }>(
    `select c.offset_ms as ours, a.clock_offset_ms as theirs
       from merchant_clocks c join simulator.accounts a on a.account = c.merchant_id::text
      where c.merchant_id = :account`,
    { account: shop.account },
  );
  return row!;
}

describe('200 during other requests', () => {
  const waits = (many = 1) =>
    until(`${many} wait`, async () => {
      const waiting = await service.rows(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length === many;
    });

  const deadlocks = async () => {
    const [counted] = await service.rows<{ deadlocks: number }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    return counted!.deadlocks;
  };

  test('takes its locks in the same order as other requests, so that no deadlock is possible', async () => {
    const before = await deadlocks();
    const { id, credit_card } = await shop.cardPayment({ capture: false });
    const amount_centavos = 10_000;
    const report = notification(shop.account, await shop.reference(id), 'cancel.approved', {
      amount_centavos,
    });
    const { merchant } = shop.onboarded;
    let asked: ReturnType<typeof reset>;
    let delivered: ReturnType<typeof deliver>;
    await service.deps.db.transaction(merchant, async (tx) => {
      await lockPayment(tx, merchant, id);
      asked = reset();
      await waits();
      delivered = deliver(service, report);
      await waits(2);
      await tx.execute(merchant, 'update cards set updated_at = now() where {scope} and id = :id', {
        id: credit_card.id,
      });
    });
    assert.deepEqual([(await asked!).status, await delivered!], [200, 404]);
    assert.equal(await deadlocks(), before);
  });

  test('locks the rows of a table in the order of their ids, as statements that lock several of them do', async () => {
    const { merchant } = shop.onboarded;
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await subscribed(shop)).id);
    // Now it is the last one in the table.
    await service.rows('update subscriptions set updated_at = updated_at where id = :id', { id: ids[0]! });
    let asked: ReturnType<typeof reset>;
    await service.deps.db.transaction(merchant, async (tx) => {
      await lockSubscription(tx, merchant, ids[2]!);
      asked = reset();
      await waits();
      const free = 'select id from subscriptions where merchant_id = :account for no key update skip locked';
      assert.deepEqual(await service.rows(free, { account: shop.account }), []);
    });
    assert.equal((await asked!).body.deleted.subscriptions, 3);
  });

  test('waits for a change in progress, and deletes its rows', async () => {
    const { id } = await shop.pixPayment();
    await using hold = await lockPaymentRow(service, id);
    const asked = reset();
    await waits();
    await hold.release();
    const { status, body } = await asked;
    assert.deepEqual([status, body.deleted.payments], [200, 1]);
  });

  test('waits for a creation in progress, and deletes its rows', async () => {
    const id = await shop.customer();
    const { merchant } = shop.onboarded;
    let asked: ReturnType<typeof reset>;
    await service.deps.db.transaction(merchant, async (tx) => {
      await tx.execute(
        merchant,
        `insert into customers (slot, merchant_id, id, hash, name, email, email_key, created_at, updated_at)
         select slot, merchant_id, gen_random_uuid(), hash || '2', name, email, email_key || '2', created_at, updated_at
           from customers where {scope} and id = :id`,
        { id },
      );
      asked = reset();
      await waits();
    });
    assert.equal((await asked!).body.deleted.customers, 2);
  });

  test('deletes everything during orders and refunds, and interrupted requests get an error and can be retried', async () => {
    const paid = await Promise.all(Array.from({ length: 5 }, () => shop.cardPayment()));
    const bodies = await Promise.all(Array.from({ length: 5 }, () => shop.cardOrderBody()));
    const answers = await Promise.all([
      ...paid.flatMap(({ id }) => [shop.refund(id, 100), shop.refund(id, 200)]),
      ...bodies.map((body) => shop.post('/charges/orders', body)),
      ...Array.from({ length: 5 }, () => shop.post('/charges/orders', shop.pixOrderBody())),
      reset(),
      ...paid.map(({ id }) => shop.refund(id, 300)),
      ...paid.map(({ id }) => shop.post(`/sandbox/payments/${id}/simulate`, { outcome: 'paid' })),
    ]);
    const [kept, cut] = [new Set([200, 201, 404, 422]), new Set([503])];
    for (const { status, text } of answers) assert.ok(kept.has(status) || cut.has(status), text);
    assert.equal((await reset()).status, 200);
    const left = Object.entries(await rowsPerTable(service, shop.account)).filter(([, rows]) => rows > 0);
    assert.deepEqual(Object.fromEntries(left), { api_keys: 1, merchants: 1 });
  });
});

describe('409', () => {
  test('during an advance of the clock', async () => {
    const { id, pix } = await shop.pixPayment();
    await using hold = await lockPaymentRow(service, id);
    const asked = shop.post('/sandbox/clock/advance', { days: 1 });
    await until('the clock has reached the expiry', async () => {
      return (await shop.get('/sandbox/clock')).now === pix.expires_at;
    });
    const refused = await reset();
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'clock_advancing']);
    await hold.release();
    assert.equal((await asked).status, 200);
    await assertAcquirerAgrees(service, shop.account);
    assert.equal((await reset()).body.deleted.payments, 1);
  });

  test('for an advance that begins during a reset, which is not refused itself', async () => {
    await shop.pixPayment();
    const refused: TestAnswer[] = [];
    interceptReset(async () => {
      refused.push(await advanceOneDay(), await reset());
    });
    const done = await reset();
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.error.code]),
      [
        [409, 'clock_advancing'],
        [409, 'clock_advancing'],
      ],
    );
    assert.deepEqual([done.status, done.body.deleted.payments], [200, 1]);
    assert.equal((await advanceOneDay()).status, 200);
  });
});

describe('503', () => {
  test('an acquirer that does not answer, and the reset can be repeated at once', async () => {
    await shop.pixPayment();
    interceptReset(() => Promise.reject(new Error('down')));
    assert.equal((await reset('broken')).status, 503);
    const again = await reset('broken');
    assert.deepEqual([again.status, again.body.deleted.payments], [200, 1], again.text);
    assert.equal((await shop.get('/sandbox/clock')).status, 'idle');
  });

  test('an acquirer that does not answer, and without another reset the clock goes on as before', async () => {
    assert.equal((await advanceOneDay()).status, 200);
    await shop.pixPayment();
    const before = await clockOffsets();
    interceptReset(() => Promise.reject(new Error('down')));
    assert.equal((await reset()).status, 503);
    assert.equal((await clockOffsets()).theirs, 0);
    assert.equal(await resumeAdvances(service.deps), 1);
    assert.deepEqual(await clockOffsets(), before);
    assert.equal((await advanceOneDay()).status, 200);
  });

  test('a reset whose lease has ended, so that another process has released the clock', async () => {
    const { id } = await shop.pixPayment();
    interceptReset(async () => {
      service.setAhead(31 * SECOND_MS);
      await until('the clock is released', async () => {
        await resumeAdvances(service.deps);
        return (await shop.get('/sandbox/clock')).status === 'idle';
      });
    });
    assert.equal((await reset()).status, 503);
    assert.equal((await shop.payment(id)).id, id);
    assert.equal((await reset()).body.deleted.payments, 1);
  });
});

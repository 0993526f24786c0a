import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { Client } from 'pg';
import { backgroundJobs } from '../../jobs/index.ts';
import { startJob } from '../../jobs/loop.ts';
import { shopsInSlot } from '../support/db/shops-in-slot.ts';
import { reconcile, withLostAnswers } from '../support/payments/acquirer-calls.ts';
import { silentAcquirer } from '../support/payments/silent-acquirer.ts';
import { sharedService } from '../support/shared-service.ts';
import type { Shop } from '../support/shop.ts';
import { until } from '../support/until.ts';

const service = await sharedService({ jobs: false });
beforeEach(() => service.setAhead(0));

const shopsIn = (slot: number, count: number) => shopsInSlot(service, slot, count);

/** Runs one of the worker's background jobs until it is disposed. */
function runJob(name: string): AsyncDisposable {
  const job = startJob(backgroundJobs(service.deps).find((each) => each.name === name)!, service.deps.log);
  return { [Symbol.asyncDispose]: () => job.stop() };
}

/** Payments with an unknown outcome, whose inquiries are due in two seconds. */
async function lostPayments(shop: Shop, count: number): Promise<string[]> {
  const placed = await withLostAnswers(service, () =>
    Promise.all(Array.from({ length: count }, () => shop.pixPayment())),
  );
  return placed.map(({ id }) => id);
}

const unknownPayments = async (shop: Shop) =>
  (await shop.get('/payments?status=processing&per_page=100')).data.length;

describe('a merchant whose acquirer does not answer', () => {
  for (const [where, slots] of [
    ['in a slot between theirs', [3, 7, 200]],
    ['in the same slot', [7, 7, 7]],
  ] as const) {
    test(`does not delay another merchant's payments, ${where}`, async () => {
      const silent = (await Promise.all([slots[0], slots[2]].map((slot) => shopsIn(slot, 1)))).flat();
      const [healthy] = await shopsIn(slots[1], 1);
      for (const shop of silent) await lostPayments(shop, 30);
      await using acquirer = await silentAcquirer(service);
      acquirer.silence(...silent.map(({ account }) => account));
      service.setAhead(2_000);
      await using _job = runJob('reconcile operations');
      await until('both silent accounts wait', () => acquirer.waiting() === silent.length);
      for (let round = 0; round < 2; round += 1) {
        service.setAhead(0);
        const [id] = await lostPayments(healthy!, 1);
        service.setAhead(2_000);
        await until(
          "the other merchant's payment is known",
          async () => (await healthy!.payment(id!)).status === 'waiting_payment',
        );
      }
      assert.equal(await unknownPayments(silent[0]!), 30);
      acquirer.answerAgain();
      service.setAhead(62_000);
      for (const shop of silent)
        await until('all payments are known', async () => (await unknownPayments(shop)) === 0);
    });
  }

  test('has one inquiry at a time, not one per payment', async () => {
    const [silent] = await shopsIn(9, 1);
    await lostPayments(silent!, 30);
    await using acquirer = await silentAcquirer(service, { timeout_ms: 500 });
    acquirer.silence(silent!.account);
    service.setAhead(2_000);
    await using _job = runJob('reconcile operations');
    await until('an inquiry follows one that timed out', () => acquirer.unanswered() >= 2);
    assert.equal(acquirer.mostWaiting(), 1);
    acquirer.answerAgain();
  });

  test("does not delay another merchant's network tokens", async () => {
    const [silent, healthy] = [(await shopsIn(3, 1))[0]!, (await shopsIn(7, 1))[0]!];
    const customers = await Promise.all([silent.customer(), healthy.customer()]);
    await using acquirer = await silentAcquirer(service);
    acquirer.silence(silent.account);
    for (let card = 0; card < 3; card += 1) await silent.card(customers[0]!);
    await using _job = runJob('network tokens');
    await until('a request of the silent account waits', () => acquirer.waiting() > 0);
    const id = await healthy.card(customers[1]!);
    const status = async () => (await healthy.get(`/cards/${id}`)).network_token.status;
    await until('the other merchant has its token', async () => (await status()) === 'active');
    acquirer.answerAgain();
  });
});

describe('a merchant whose rows are locked', () => {
  test("does not delay the expiry of another merchant's payments", async () => {
    const shops = [...(await shopsIn(3, 2)), ...(await shopsIn(7, 1)), ...(await shopsIn(200, 2))];
    const healthy = shops[2]!;
    const expires_at = new Date(Date.now() + 120_000).toISOString();
    const placed = await Promise.all(shops.map((shop) => shop.pixPayment(5_000, { expires_at })));
    await using cleanUp = new AsyncDisposableStack();
    const holder = new Client(service.databaseUrl);
    await holder.connect();
    cleanUp.defer(() => holder.end());
    // Events refer to the row of their merchant, so their insertion waits for the lock.
    await holder.query('begin');
    await holder.query('select 1 from merchants where merchant_id = any($1) for update', [
      shops.filter((shop) => shop !== healthy).map(({ account }) => account),
    ]);
    service.setAhead(121_000);
    await using _job = runJob('payment steps');
    await until('it is expired', async () => (await healthy.payment(placed[2]!.id)).status === 'expired');
    const failures = service.log.filter(({ level }) => level === 'error');
    assert.deepEqual(failures, [], 'it was expired only after a lock had timed out');
    await holder.query('rollback');
  });
});

describe('a merchant with many payments to inquire about', () => {
  test('does not starve another merchant of the same slot', async () => {
    const [giant, small] = (await shopsIn(7, 2)) as [Shop, Shop];
    await lostPayments(giant, 60);
    // Its inquiry is due after all of them.
    await lostPayments(small, 1);
    const accounts: string[] = [];
    const spy = service.intercept((real) => ({
      inquire: (inquiry) => {
        accounts.push(inquiry.account);
        return real.inquire(inquiry);
      },
    }));
    await reconcile(service);
    spy.undo();
    const earlier = accounts.indexOf(small.account);
    assert.ok(earlier < 20, `${earlier} inquiries came before it`);
    assert.equal(accounts.filter((account) => account === giant.account).length, 60);
  });
});

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { beforeEach, describe, mock, test } from 'node:test';
import { Client } from 'pg';
import { backgroundJobs } from '../../jobs/index.ts';
import { startJob } from '../../jobs/loop.ts';
import { reconcile, withLostAnswers } from '../support/acquirer-calls.ts';
import { sharedService } from '../support/shared-service.ts';
import { Shop } from '../support/shop.ts';
import { silentAcquirer } from '../support/silent-acquirer.ts';
import { until } from '../support/until.ts';

/** A merchant whose own acquirer answers must not notice that another's does not. */
const SOON_MS = 3_000;

const service = await sharedService({ jobs: false });
beforeEach(() => service.setAhead(0));

/** Shops in this slot. */
async function shopsIn(slot: number, count: number): Promise<Shop[]> {
  const real = crypto.randomInt;
  const drawn = mock.method(crypto, 'randomInt', (...asked: [number]) =>
    asked[0] === 256 ? slot : real(...asked),
  );
  syncBuiltinESMExports();
  try {
    return await Promise.all(Array.from({ length: count }, () => Shop.open(service)));
  } finally {
    drawn.mock.restore();
    syncBuiltinESMExports();
  }
}

/** One of the worker's background jobs, until it is disposed of. */
function running(name: string): AsyncDisposable {
  const job = startJob(backgroundJobs(service.deps).find((each) => each.name === name)!, service.deps.log);
  return { [Symbol.asyncDispose]: () => job.stop() };
}

/** Payments whose outcome nobody knows, and which are due to be asked about. */
async function lostPayments(shop: Shop, count: number): Promise<string[]> {
  const placed = await withLostAnswers(service, () =>
    Promise.all(Array.from({ length: count }, () => shop.pixPayment())),
  );
  return placed.map(({ id }) => id);
}

const unknownOf = async (shop: Shop) =>
  (await shop.get('/payments?status=processing&per_page=100')).data.length;

describe('a merchant whose acquirer is silent', () => {
  for (const [where, slots] of [
    ['in slots before and behind', [3, 7, 200]],
    ['in the same slot', [7, 7, 7]],
  ] as const) {
    test(`does not delay the settlement of another, ${where}`, async () => {
      const silent = (await Promise.all([slots[0], slots[2]].map((slot) => shopsIn(slot, 1)))).flat();
      const [healthy] = await shopsIn(slots[1], 1);
      for (const shop of silent) await lostPayments(shop, 30);
      await using acquirer = await silentAcquirer(service);
      acquirer.silence(...silent.map(({ account }) => account));
      service.setAhead(2_000);
      await using _job = running('reconcile operations');
      await until('it is being asked about the silent ones', () => acquirer.waiting() > 0);
      for (let round = 0; round < 2; round += 1) {
        service.setAhead(0);
        const [id] = await lostPayments(healthy!, 1);
        service.setAhead(2_000);
        const begun = performance.now();
        await until(
          'the other is known',
          async () => (await healthy!.payment(id!)).status === 'waiting_payment',
        );
        const took_ms = Math.round(performance.now() - begun);
        assert.ok(took_ms < SOON_MS, `it took ${took_ms} ms`);
      }
      assert.equal(await unknownOf(silent[0]!), 30);
      acquirer.answerAgain();
      service.setAhead(62_000);
      for (const shop of silent) await until('all is known', async () => (await unknownOf(shop)) === 0);
    });
  }

  test('is asked about one payment at a time, and not about all of them', async () => {
    const [silent] = await shopsIn(9, 1);
    await lostPayments(silent!, 30);
    await using acquirer = await silentAcquirer(service);
    acquirer.silence(silent!.account);
    service.setAhead(2_000);
    await using _job = running('reconcile operations');
    await until('it was asked in vain', () => acquirer.unanswered() >= 2);
    assert.equal(acquirer.mostWaiting(), 1);
    acquirer.answerAgain();
  });

  test('does not delay the network tokens of another', async () => {
    const [silent, healthy] = [(await shopsIn(3, 1))[0]!, (await shopsIn(7, 1))[0]!];
    const customers = await Promise.all([silent.customer(), healthy.customer()]);
    await using acquirer = await silentAcquirer(service);
    acquirer.silence(silent.account);
    for (let card = 0; card < 3; card += 1) await silent.card(customers[0]!);
    await using _job = running('network tokens');
    await until('it is asked', () => acquirer.waiting() > 0);
    const id = await healthy.card(customers[1]!);
    const begun = performance.now();
    const status = async () => (await healthy.get(`/cards/${id}`)).network_token.status;
    await until('the other has its token', async () => (await status()) === 'active');
    assert.ok(performance.now() - begun < SOON_MS);
  });
});

describe('a merchant whose rows are locked', () => {
  test('does not delay the expiries of another', async () => {
    const shops = [...(await shopsIn(3, 2)), ...(await shopsIn(7, 1)), ...(await shopsIn(200, 2))];
    const healthy = shops[2]!;
    const expires_at = new Date(Date.now() + 120_000).toISOString();
    const placed = await Promise.all(shops.map((shop) => shop.pixPayment(5_000, { expires_at })));
    await using cleanUp = new AsyncDisposableStack();
    const holder = new Client(service.databaseUrl);
    await holder.connect();
    cleanUp.defer(() => holder.end());
    // Their events name the merchant, and so wait.
    await holder.query('begin');
    await holder.query('select 1 from merchants where merchant_id = any($1) for update', [
      shops.filter((shop) => shop !== healthy).map(({ account }) => account),
    ]);
    service.setAhead(121_000);
    await using _job = running('expire payments');
    const begun = performance.now();
    await until('it is expired', async () => (await healthy.payment(placed[2]!.id)).status === 'expired');
    assert.ok(performance.now() - begun < SOON_MS);
    await holder.query('rollback');
  });
});

describe('a merchant with very much to do', () => {
  test('does not starve another of its slot', async () => {
    const [giant, small] = (await shopsIn(7, 2)) as [Shop, Shop];
    await lostPayments(giant, 60);
    // Due after all of them.
    await lostPayments(small, 1);
    const asked: string[] = [];
    const spy = service.intercept((real) => ({
      inquire: (inquiry) => {
        asked.push(inquiry.account);
        return real.inquire(inquiry);
      },
    }));
    await reconcile(service);
    spy.undo();
    const before = asked.slice(0, asked.indexOf(small.account));
    assert.ok(before.length < 20, `it was asked about after ${before.length} others`);
    assert.equal(asked.filter((account) => account === giant.account).length, 60);
  });
});

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { HOUR_MS, SECOND_MS } from '../../../domain/durations.ts';
import type { Outcome } from '../../../gateway/acquirer.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { subjectOf } from '../../support/payments/outcomes.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const waitsFor = async (id: string) => (await shop.payment(id)).status === 'processing';
const refundsOf = async (id: string): Promise<Json[]> => (await shop.get(`/payments/${id}/refunds`)).data;

/**
 * Every 5 seconds the reconciler asks an acquirer that answers so; resolves to when it did for the shop, in seconds.
 */
async function askedWithin(answer: 'silent' | 'working', from_ms: number, to_ms: number) {
  const at_s: number[] = [];
  let ahead_ms = from_ms;
  const spy = service.intercept((real) => ({
    inquire: async (asked) => {
      if (asked.account === shop.account) at_s.push(ahead_ms / SECOND_MS);
      if (answer === 'silent') return { kind: 'unknown', cause: 'time_out' };
      const known = (await real.inquire(asked)) as Outcome;
      return { ...subjectOf(known), kind: 'pending', acquirerReference: 'acq_1' };
    },
  }));
  for (; ahead_ms <= to_ms; ahead_ms += 5 * SECOND_MS) await reconcile(service, ahead_ms);
  spy.undo();
  return at_s;
}

describe('after an outage of an hour', () => {
  for (const [what, lose] of [
    ['an order by card', () => withLostAnswers(service, () => shop.cardPayment())],
    ['an order by Pix', () => withLostAnswers(service, () => shop.pixPayment())],
    [
      'a capture',
      async () => {
        const { id } = await shop.authorized();
        return (await withLostAnswers(service, () => shop.capture(id))).body;
      },
    ],
    [
      'a cancellation',
      async () => {
        const { id } = await shop.authorized();
        return (await withLostAnswers(service, () => shop.cancel(id))).body;
      },
    ],
  ] as const) {
    test(`${what} is known within a minute of the acquirer's return`, async () => {
      const { id } = await lose();
      assert.ok(await waitsFor(id));
      await askedWithin('silent', 2 * SECOND_MS, 300 * SECOND_MS);
      const late = await askedWithin('silent', HOUR_MS, HOUR_MS + 60 * SECOND_MS);
      assert.ok(late.length >= 3, `asked at ${late.join(', ')} s`);
      assert.ok(await waitsFor(id));
      await reconcile(service, HOUR_MS + 85 * SECOND_MS);
      assert.ok(!(await waitsFor(id)), 'it is not known');
    });
  }

  test('a lost refund is known within a minute, too', async () => {
    const { id } = await shop.cardPayment();
    await withLostAnswers(service, () => shop.refund(id, 4_000));
    await askedWithin('silent', 2 * SECOND_MS, 300 * SECOND_MS);
    assert.equal((await refundsOf(id))[0].status, 'in_progress');
    await reconcile(service, 325 * SECOND_MS);
    assert.equal((await refundsOf(id))[0].status, 'succeeded');
  });
});

describe('an operation that the acquirer is working on', () => {
  test('is inquired about every 20 seconds if it is a payment', async () => {
    await withLostAnswers(service, () => shop.cardPayment());
    const at_s = await askedWithin('working', 5 * SECOND_MS, 70 * SECOND_MS);
    assert.deepEqual(at_s, [5, 25, 45, 65]);
  });

  test('is inquired about every hour if it is a refund, which can take days', async () => {
    const { id } = await shop.cardPayment();
    await withLostAnswers(service, () => shop.refund(id, 4_000));
    assert.deepEqual(await askedWithin('working', 5 * SECOND_MS, 120 * SECOND_MS), [5]);
    assert.deepEqual(await askedWithin('working', HOUR_MS, HOUR_MS + 30 * SECOND_MS), [HOUR_MS / 1_000 + 5]);
    // Once it does not answer any more, it is asked as for every lost answer.
    const lost = await askedWithin('silent', 2 * HOUR_MS + 10 * SECOND_MS, 2 * HOUR_MS + 60 * SECOND_MS);
    assert.ok(lost.length >= 3, `asked at ${lost.join(', ')} s`);
  });
});

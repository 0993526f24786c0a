import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '../../../services/refusal.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import { LinkPlaces } from '../../support/pages/link-places.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

async function newLink(fields: object = {}): Promise<{ id: string; places: LinkPlaces }> {
  const { id } = await created(shop.post('/payment-links', linkBody(fields)));
  return { id, places: await LinkPlaces.of(service, shop, id) };
}

/** A refusal because of the state, with this sentence. */
const refusedWith = (sentence: RegExp) => (error: unknown) =>
  error instanceof Refusal && error.reason === 'wrong_state' && sentence.test(error.message);

describe('the places of a payment link', () => {
  for (const [buyers, places] of [
    [200, 1],
    [200, 7],
  ] as const) {
    test(`of ${buyers} buyers at the same time ${places} get one of ${places}`, async () => {
      const { id, places: link } = await newLink({ max_payments: places });
      const attempts = await Promise.allSettled(Array.from({ length: buyers }, () => link.take()));
      const taken = attempts.filter(({ status }) => status === 'fulfilled');
      assert.equal(taken.length, places);
      for (const attempt of attempts) {
        if (attempt.status === 'rejected') assert.ok(refusedWith(/taken/)(attempt.reason), attempt.reason);
      }
      assert.deepEqual(await link.counts(), { paid: 0, underWay: places, places: { under_way: places } });
      assert.equal((await shop.get(`/payment-links/${id}`)).status, 'active');
    });
  }

  test('a place is free again when its payment was refused, and gone once it is paid', async () => {
    const { id, places } = await newLink({ max_payments: 1 });
    const refused = await places.take();
    await assert.rejects(places.take(), refusedWith(/taken/));
    assert.equal(await places.move(refused, 'release'), true);
    const paid = await places.take();
    assert.equal(await places.move(paid, 'count'), true);
    await assert.rejects(places.take(), refusedWith(/maximum number of payments/));
    const link = await shop.get(`/payment-links/${id}`);
    assert.deepEqual([link.status, link.payments_count], ['exhausted', 1]);
  });

  test('money that arrives late is counted, also beyond the limit', async () => {
    const { id, places } = await newLink({ max_payments: 1 });
    const late = await places.take();
    await places.move(late, 'release');
    await places.move(await places.take(), 'count');
    assert.equal(await places.move(late, 'count'), true);
    const link = await shop.get(`/payment-links/${id}`);
    assert.deepEqual([link.status, link.payments_count], ['exhausted', 2]);
  });

  test('a move that is repeated counts once, also at the same time', async () => {
    const { places } = await newLink();
    const holder = await places.take();
    const moved = await Promise.all(Array.from({ length: 10 }, () => places.move(holder, 'count')));
    assert.deepEqual(moved.filter(Boolean), [true]);
    assert.equal(await places.move(holder, 'release'), false);
    assert.equal(await places.move(UNKNOWN_ID, 'count'), false);
    assert.deepEqual(await places.counts(), { paid: 1, underWay: 0, places: { counted: 1 } });
  });

  test('a link that is disabled, expired or not there has none', async () => {
    const disabled = await newLink();
    await shop.post(`/payment-links/${disabled.id}/disable`);
    await assert.rejects(disabled.places.take(), refusedWith(/disabled/));
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const expired = await newLink({ expires_at: expiresAt });
    const underWay = await expired.places.take();
    await shop.post('/sandbox/clock/advance', { days: 1 });
    const later = await LinkPlaces.of(service, shop, expired.id);
    await assert.rejects(later.take(), refusedWith(/expired/));
    assert.equal(await later.move(underWay, 'count'), true, 'what has begun may still be paid');
    const nothing = await LinkPlaces.of(service, shop, UNKNOWN_ID);
    await assert.rejects(nothing.take(), (error: Refusal) => error.reason === 'not_found');
  });

  test('the counts are those of the places, whatever happens in whatever order', async () => {
    const step = fc.record({
      what: fc.constantFrom('take', 'count', 'release'),
      which: fc.nat(20),
    } as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        async (steps, max) => {
          const { places } = await newLink({ max_payments: max });
          const holders: string[] = [];
          await Promise.all(
            steps.map(async ({ what, which }) => {
              if (what === 'take') {
                await places.take().then((holder) => holders.push(holder), refusedWith(/taken|paid/));
              } else if (holders.length > 0) await places.move(holders[which % holders.length]!, what);
            }),
          );
          const { paid, underWay, places: states } = await places.counts();
          assert.deepEqual([paid, underWay], [states.counted ?? 0, states.under_way ?? 0]);
          assert.ok(underWay <= max);
        },
      ),
      { numRuns: 15 },
    );
  });
});

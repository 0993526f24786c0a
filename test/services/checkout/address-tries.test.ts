/** The limit of card payments from one network address (contract row 13.17). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { HOUR_MS } from '../../../domain/durations.ts';
import { countCardTry } from '../../../services/checkout/card-tries.ts';
import { counterIdOf } from '../../../services/counter-id.ts';
import type { Deps } from '../../../services/deps.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const PRODUCTION: Deps = { ...service.deps, environment: 'production' };

const newAddress = () => `2001:db8::${randomUUID().slice(0, 4)}`;

/** Counts a payment by a new card, or by this one, at a page of the merchant. */
const tryCard = (shop: Shop, address: string, card: string = randomUUID(), deps = PRODUCTION) =>
  countCardTry(deps, shop.onboarded.merchant, {
    address,
    card,
    page: shop.account,
    pageHash: 'page',
  });

const TOO_MANY = { reason: 'too_many_card_tries' };

async function countedOf(address: string): Promise<number> {
  const [row] = await service.rows<{ tries: number }>(
    'select coalesce(sum(tries), 0)::integer as tries from checkout_tries where counter_id = :id',
    { id: counterIdOf(service.deps, 'address', address) },
  );
  return row!.tries;
}

describe('the card payments of one address', () => {
  test('count together at the pages of all merchants', async () => {
    const shops = await Promise.all([1, 2, 3].map(() => Shop.open(service)));
    const address = newAddress();
    for (let i = 0; i < 10; i += 1) await tryCard(shops[i % 2]!, address);
    for (const shop of shops) await assert.rejects(tryCard(shop, address), TOO_MANY);
    assert.equal(await countedOf(address), 10, 'what is refused is not counted');
    await (await tryCard(shops[2]!, newAddress())).subtract();
  });

  test('at the same time do not exceed the limit', async () => {
    const shops = await Promise.all([1, 2].map(() => Shop.open(service)));
    const address = newAddress();
    const tries = await Promise.allSettled(
      Array.from({ length: 14 }, (_, i) => tryCard(shops[i % 2]!, address)),
    );
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 10);
    assert.equal(await countedOf(address), 10);
  });

  test('are not counted if they are approved, or refused because of another limit', async () => {
    const shop = await Shop.open(service);
    const address = newAddress();
    await (await tryCard(shop, address)).subtract();
    assert.equal(await countedOf(address), 0);
    for (let i = 0; i < 5; i += 1) await tryCard(shop, newAddress(), 'one card');
    await assert.rejects(tryCard(shop, address, 'one card'), TOO_MANY);
    assert.equal(await countedOf(address), 0);
  });

  test('are forgotten after an hour', async () => {
    const shop = await Shop.open(service);
    const address = newAddress();
    for (let i = 0; i < 10; i += 1) await tryCard(shop, address);
    await assert.rejects(tryCard(shop, address), TOO_MANY);
    service.setAhead(HOUR_MS + 61_000);
    await (await tryCard(shop, address)).subtract();
    service.setAhead(0);
  });

  test('count for each merchant in the sandbox, whose reset forgets them', async () => {
    const [one, other] = [await Shop.open(service), await Shop.open(service)];
    const address = newAddress();
    const trySandboxCard = (shop: Shop) => tryCard(shop, address, randomUUID(), service.deps);
    for (let i = 0; i < 10; i += 1) await trySandboxCard(one);
    await assert.rejects(trySandboxCard(one), TOO_MANY);
    await trySandboxCard(other);
    assert.equal((await one.post('/sandbox/reset')).status, 200);
    await trySandboxCard(one);
  });
});

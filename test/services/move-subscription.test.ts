/** What the tables of moves do not allow is not written, whatever the engine says. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { findMerchant } from '../../db/merchants/merchants.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Billing } from '../../domain/subscriptions/billing.ts';
import { type BillingChange, changeOf, makeMoves } from '../../domain/subscriptions/engine/change.ts';
import { moveSubscription } from '../../services/subscriptions/move-subscription.ts';
import type { Json } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { Shop } from '../support/shop.ts';
import { invoices, subscribed } from '../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
let subscription: Json;
before(async () => {
  shop = await Shop.open(service);
  subscription = await subscribed(shop);
});

/** Writes a change of the subscription, which is `active` and has a paid invoice. */
async function write(change: (billing: Billing) => BillingChange, at = new Date()): Promise<void> {
  const { deps } = service;
  const merchant = (await findMerchant(deps.db, shop.onboarded.merchant))!;
  await deps.db.transaction(merchant, async (tx) => {
    const locked = (await lockSubscription(tx, merchant, subscription.id))!;
    await moveSubscription({ deps, tx, merchant }, locked, change(locked.billing), { at });
  });
}

for (const [what, change, reason] of [
  [
    'a status without a move',
    (billing: Billing) => changeOf({ ...billing, status: 'past_due' }),
    /end at active, not past_due/,
  ],
  [
    'a move that the status does not allow',
    (billing: Billing) =>
      changeOf(billing, { moves: [{ move: 'reactivate', by: 'merchant', status: 'active' }] }),
    /active cannot reactivate/,
  ],
  [
    'a move by someone who may not make it',
    (billing: Billing) => changeOf(billing, { moves: [{ move: 'cancel', by: 'clock', status: 'canceled' }] }),
    /cancel of a subscription is not for: clock/,
  ],
  [
    'a move of an invoice by someone who may not make it',
    (billing: Billing) => changeOf(billing, { invoices: [{ cycle: 1, move: 'pay', by: 'merchant' }] }),
    /pay of an invoice is not for: merchant/,
  ],
  [
    'a move that the status of an invoice does not allow',
    (billing: Billing) => changeOf(billing, { invoices: [{ cycle: 1, move: 'void', by: 'merchant' }] }),
    /cannot void/,
  ],
] as const) {
  test(`${what} is not written`, async () => {
    const seen = [await shop.get(`/subscriptions/${subscription.id}`), await invoices(shop, subscription.id)];
    await assert.rejects(write(change), reason);
    assert.deepEqual(
      [await shop.get(`/subscriptions/${subscription.id}`), await invoices(shop, subscription.id)],
      seen,
    );
  });
}

test('moves of both that are allowed are written', async () => {
  await write((billing) =>
    changeOf(
      { ...billing, endsAt: new Date() },
      { moves: makeMoves('active', 'merchant', [{ move: 'cancel' }]) },
    ),
  );
  assert.equal((await shop.get(`/subscriptions/${subscription.id}`)).status, 'canceled');
});

test('a change by a process whose clock is behind has a later time than the last one', async () => {
  const read = () => shop.get(`/subscriptions/${subscription.id}`);
  const before = await read();
  const reactivate = makeMoves('canceled', 'merchant', [{ move: 'reactivate' }]);
  await write((billing) => changeOf({ ...billing, endsAt: null }, { moves: reactivate }), new Date(0));
  const { status, updated_at } = await read();
  assert.equal(status, 'active');
  assert.equal(Date.parse(updated_at), Date.parse(before.updated_at) + 1);
});

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, DAY_MS, HOUR_MS } from '../../support/clock-calls.ts';
import { runBillingSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import { changePlan, offerOf } from '../../support/subscriptions/plan-change-calls.ts';
import {
  invoices,
  newOffer,
  subscribe,
  subscribed,
  subscribedByWallet,
  subscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain } from '../../support/wallet/wallet-shop.ts';

const service = await sharedService({ jobs: false });
const inMonths = (count: number) =>
  billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);

/** The number of another card. */
const OTHER = '5555555555554444';

let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

/** Makes a card unreadable, or readable again. */
async function flipSealedNumber(cardId: string): Promise<void> {
  await service.rows(
    `update cards set number_sealed = set_byte(number_sealed, 20, 255 - get_byte(number_sealed, 20))
      where merchant_id = :account and id = :card_id`,
    { account: shop.account, card_id: cardId },
  );
}

/** Makes the credentials of wallets unreadable. */
async function spoilCredentials(): Promise<void> {
  await service.rows(
    'update wallet_credentials set credential_sealed = substring(credential_sealed for 40) where merchant_id = :account',
    {
      account: shop.account,
    },
  );
}

async function unreadableCard(): Promise<Json> {
  const subscription = await subscribed(shop);
  await flipSealedNumber(subscription.card_id);
  return subscription;
}

async function unreadableWallet(): Promise<Json> {
  await verifiedDomain(shop, domainOf(shop));
  const subscription = await subscribedByWallet(shop);
  await spoilCredentials();
  return subscription;
}

for (const [name, create] of [
  ['a card', unreadableCard],
  ['the credential of a wallet', unreadableWallet],
] as const) {
  describe(`${name} that can never be read`, () => {
    test('counts as refused for good after 7 days, and can be replaced', async () => {
      const { id, customer_id } = await create();
      await advance(shop, { to: `${addDays(inMonths(1), 7)}T05:59:00-03:00` });
      assert.deepEqual([(await read(id)).status, (await invoices(shop, id)).length], ['active', 1]);
      const { events } = await advance(shop, { days: 1 });
      assert.deepEqual(
        events.map(({ event }: Json) => event),
        ['subscription.charge_failed', 'subscription.unpaid'],
      );
      const [, unpaid] = await invoices(shop, id);
      assert.deepEqual([unpaid!.status, unpaid!.payments], ['uncollectible', []]);
      assert.deepEqual([(await read(id)).status, (await read(id)).next_charge_at], ['unpaid', inMonths(1)]);
      await advance(shop, { days: 40 });
      assert.equal((await invoices(shop, id)).length, 2);
      const body = {
        payment_method: 'credit_card',
        credit_card: { id: await shop.card(customer_id, OTHER) },
      };
      assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
      await advance(shop, { days: 2 });
      assert.deepEqual([(await read(id)).status, (await read(id)).successful_charges], ['active', 3]);
    });

    test('pays no upgrade', async () => {
      const { id } = await create();
      const before = await read(id);
      const body = { offer_id: await offerOf(shop, 9_990), effective: 'immediate' };
      assertRefused(await changePlan(shop, id, body), 'payment');
      assert.deepEqual(await read(id), before);
    });
  });
}

describe('a card that cannot be read', () => {
  test('does not delay the clock, and its cycle is charged when it can be read again', async () => {
    const { id, card_id } = await subscribed(shop);
    const other = await subscribed(shop);
    await flipSealedNumber(card_id);
    await advance(shop, { to: `${inMonths(1)}T07:00:00-03:00` });
    assert.equal((await read(id)).successful_charges, 1);
    assert.equal((await read(other.id)).successful_charges, 2);
    await flipSealedNumber(card_id);
    await advance(shop, { days: 2 });
    assert.equal((await read(id)).successful_charges, 2);
  });

  for (const [when, prepare] of [
    ['on its day', (id: string) => flipSealedNumber(id)],
    ['after a charge has waited for the card for 7 days', spoiledAfterAWeek],
  ] as const) {
    test(`does not delay a cycle that costs nothing, ${when}`, async () => {
      const cycles = [
        { start: 1, end: 1, amount: 4_990 },
        { start: 2, end: 2, amount: 0 },
        { start: 3, end: null, amount: 4_990 },
      ];
      const fields = { interval: undefined, offer_id: await newOffer(shop, { cycles }) };
      const body = await subscriptionBody(shop, fields);
      const { amount: _, ...payment } = body.payment;
      const { id, card_id } = await created(subscribe(shop, { ...body, payment }));
      await prepare(card_id);
      await advance(shop, { to: `${inMonths(1)}T07:00:00-03:00` });
      const { status, successful_charges, next_charge_at } = await read(id);
      assert.deepEqual([status, successful_charges, next_charge_at], ['active', 2, inMonths(2)]);
      const [, free] = await invoices(shop, id);
      assert.deepEqual([free!.status, free!.payments], ['paid', []]);
    });
  }

  /** As if its charge could not be prepared since a week before. */
  async function spoiledAfterAWeek(cardId: string): Promise<void> {
    await flipSealedNumber(cardId);
    await service.rows(
      "update subscriptions set means_unread_since = 'epoch' where merchant_id = :account and card_id = :card_id",
      { account: shop.account, card_id: cardId },
    );
  }

  test('is tried again by the job a quarter of an hour later', async () => {
    const { id, card_id } = await subscribed(shop);
    await flipSealedNumber(card_id);
    service.setAhead(32 * DAY_MS);
    const logged = () => service.log.filter(({ fields }) => fields.subscription_id === id).length;
    await runBillingSteps(service.deps);
    await runBillingSteps(service.deps);
    assert.equal(logged(), 1);
    await flipSealedNumber(card_id);
    service.setAhead(32 * DAY_MS + HOUR_MS);
    await runBillingSteps(service.deps);
    assert.equal((await read(id)).successful_charges, 2);
  });
});

describe('a card that cannot be read when the service runs again after an outage of more than a week', () => {
  const AFTER_OUTAGE_MS = 40 * DAY_MS;
  const runAt = async (ahead_ms: number) => {
    service.setAhead(ahead_ms);
    await runBillingSteps(service.deps);
  };

  test('is charged once it can be read', async () => {
    const { id, card_id } = await unreadableCard();
    await runAt(AFTER_OUTAGE_MS);
    assert.deepEqual([(await read(id)).status, (await invoices(shop, id)).length], ['active', 1]);
    await flipSealedNumber(card_id);
    await runAt(AFTER_OUTAGE_MS + HOUR_MS);
    assert.deepEqual([(await read(id)).status, (await read(id)).successful_charges], ['active', 2]);
  });

  test('counts as refused for good 7 days after it could first not be read', async () => {
    const { id } = await unreadableCard();
    await runAt(AFTER_OUTAGE_MS);
    await runAt(AFTER_OUTAGE_MS + 7 * DAY_MS - HOUR_MS);
    assert.equal((await read(id)).status, 'active');
    await runAt(AFTER_OUTAGE_MS + 7 * DAY_MS + HOUR_MS);
    assert.equal((await read(id)).status, 'unpaid');
  });
});

/** Runs the billing job, while the subscription's card is replaced just before it is read. */
async function replaceDuringBilling({ id, card_id }: Json, replacement: string): Promise<void> {
  const { deps } = service;
  let isReplaced = false;
  const open: typeof deps.vault.open = async (sealed, context) => {
    if (!isReplaced && context.includes(card_id)) {
      isReplaced = true;
      const body = { payment_method: 'credit_card', credit_card: { id: replacement } };
      assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
    }
    return deps.vault.open(sealed, context);
  };
  await runBillingSteps({ ...deps, vault: { ...deps.vault, open } });
  assert.ok(isReplaced);
}

test('a card that is replaced while its charge is prepared is not charged', async () => {
  const subscription = await subscribed(shop);
  const { id, customer_id } = subscription;
  const replacement = await shop.card(customer_id, OTHER);
  service.setAhead(32 * DAY_MS);
  await replaceDuringBilling(subscription, replacement);
  await runBillingSteps(service.deps);
  const [, renewal] = await invoices(shop, id);
  assert.deepEqual(
    renewal!.payments.map(({ status, credit_card }: Json) => [status, credit_card.id]),
    [['paid', replacement]],
  );
});

test('a card that replaces one that cannot be read, while that is tried, has 7 days of its own', async () => {
  const subscription = await unreadableCard();
  const { id, customer_id } = subscription;
  const replacement = await shop.card(customer_id, OTHER);
  service.setAhead(32 * DAY_MS);
  await replaceDuringBilling(subscription, replacement);
  await flipSealedNumber(replacement);
  for (const days of [6, 8, 12]) {
    service.setAhead((32 + days) * DAY_MS);
    await runBillingSteps(service.deps);
    assert.equal((await read(id)).status, 'active', `after ${days} days`);
  }
  service.setAhead((32 + 14) * DAY_MS);
  await runBillingSteps(service.deps);
  assert.equal((await read(id)).status, 'unpaid');
});

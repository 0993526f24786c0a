/**
 * A merchant gets a plan without subscriptions in the same moment as a subscription begins: one of the two is refused.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeSettings } from '../../../services/subscriptions/change-settings.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import type { TestAnswer } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { subscribe, subscribed, subscriptionBody } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const ROUNDS = 12;

const essential = (shop: Shop) =>
  changeSettings(service.deps, shop.account, { plan: 'essential' }).then(
    () => true,
    (error) => {
      assert.equal(error.reason, 'wrong_state');
      return false;
    },
  );

async function planOf({ account }: Shop): Promise<string> {
  const [row] = await service.rows<{ plan: string }>(
    'select plan from merchants where merchant_id = :account',
    { account },
  );
  return row!.plan;
}

async function liveSubscriptions({ account }: Shop): Promise<number> {
  const rows = await service.rows(
    `select id from subscriptions where merchant_id = :account and status not in ('canceled', 'ended')`,
    { account },
  );
  return rows.length;
}

/** How a subscription begins, and the answer of a request that comes too late. */
const BEGINNINGS: Readonly<
  Record<string, { late: number; begun: number; prepare(shop: Shop): Promise<() => Promise<TestAnswer>> }>
> = {
  'is created': {
    begun: 201,
    late: 403,
    async prepare(shop) {
      const body = await subscriptionBody(shop);
      return () => subscribe(shop, body);
    },
  },
  'is reactivated': {
    begun: 200,
    late: 403,
    async prepare(shop) {
      const { id } = await subscribed(shop);
      await shop.post('/subscriptions/cancel', { id });
      return () => shop.post(`/subscriptions/${id}/reactivate`);
    },
  },
  'begins at the page of a link': {
    begun: 201,
    late: 422,
    async prepare(shop) {
      const page = await CheckoutPage.ofLink(shop, {
        recurrence_interval: 'monthly',
        payment_methods: ['credit_card'],
      });
      const body = await page.subscriptionBody();
      return () => page.subscribe(body);
    },
  },
};

describe('a subscription and a plan without subscriptions exclude each other', () => {
  for (const [what, { begun, late, prepare }] of Object.entries(BEGINNINGS)) {
    test(`if it ${what} in the same moment`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const shop = await Shop.open(service);
        const begin = await prepare(shop);
        const beginning = begin();
        // The more rounds, the later the change of the plan begins.
        for (let turn = 0; turn < round * 20; turn += 1) await new Promise(setImmediate);
        const [{ status, text }, isEssential] = await Promise.all([beginning, essential(shop)]);
        assert.ok(status === begun || status === late, text);
        assert.equal(isEssential, status === late, `the subscription: ${status}, the plan: ${isEssential}`);
        assert.equal(await planOf(shop), isEssential ? 'essential' : 'standard');
        assert.equal(await liveSubscriptions(shop), isEssential ? 0 : 1);
      }
    });
  }
});

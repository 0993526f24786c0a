import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { advance } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import { requested } from '../../support/subscriptions/pix-recurring-calls.ts';
import { offerOf } from '../../support/subscriptions/plan-change-calls.ts';
import {
  subscribe,
  subscribed,
  subscribedByWallet,
  subscriptionBody,
  walletSubscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, LONG_TOKENS, verifiedDomain, walletToken } from '../../support/wallet/wallet-shop.ts';

const TOKEN = 'payment.browser_wallet.browser_wallet_token';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
  await verifiedDomain(shop, domainOf(shop));
});

describe('a subscription by wallet is refused', () => {
  const withToken = async (browser_wallet_token: string, fields: object = {}) => {
    const body = await walletSubscriptionBody(shop, fields);
    return { ...body, payment: { ...body.payment, browser_wallet: { browser_wallet_token } } };
  };

  test('with a token that is malformed, or of another account', async () => {
    const other = await Shop.open(service);
    await verifiedDomain(other, domainOf(other));
    const foreign = await walletToken(other, { domain: domainOf(other) });
    for (const token of ['x', foreign, ...LONG_TOKENS]) {
      for (const trial_days of [0, 7]) {
        assertRefused(await subscribe(shop, await withToken(token, { trial_days })), TOKEN);
      }
    }
  });

  test('with a token that was used, also when two requests use it at once', async () => {
    for (const trial_days of [0, 7]) {
      const token = await walletToken(shop, { domain: domainOf(shop) });
      const bodies = [await withToken(token, { trial_days }), await withToken(token, { trial_days })];
      const answers = await Promise.all(bodies.map((body) => subscribe(shop, body)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
      assertRefused(await subscribe(shop, await withToken(token, { trial_days })), TOKEN);
    }
  });

  test('without the object browser_wallet, with another one, or with a later capture', async () => {
    const { payment, ...body } = await walletSubscriptionBody(shop);
    const { browser_wallet, ...bare } = payment;
    const send = (fields: object) => subscribe(shop, { ...body, payment: { ...payment, ...fields } });
    assertRefused(await subscribe(shop, { ...body, payment: bare }), 'payment.browser_wallet');
    assertRefused(await send({ pix: {} }), 'payment.pix');
    assertRefused(await send({ installments: 2 }), 'payment.installments');
    const late = { browser_wallet: { ...browser_wallet, capture_delay_hours: 24 } };
    assertRefused(await send(late), 'payment.browser_wallet.capture_delay_hours');
    assertRefused(
      await send({ browser_wallet: { ...browser_wallet, capture: false } }),
      'payment.browser_wallet.capture',
    );
    await created(subscribe(shop, { ...body, payment }));
  });

  test('by card with a later capture, which the answer names', async () => {
    const { payment, ...body } = await subscriptionBody(shop);
    const credit_card = { ...payment.credit_card, capture: false };
    const answer = await subscribe(shop, { ...body, payment: { ...payment, credit_card } });
    assertRefused(answer, 'payment.credit_card.capture');
    assert.deepEqual(answer.body.errors['payment.credit_card.capture'], ['Must be true.']);
  });
});

describe('a request that is refused does not use up the token of a wallet', () => {
  /** How many cards in wallets the acquirer has verified for the shop. */
  const verifications = async () => {
    const rows = await service.rows(
      "select 1 from simulator.operations where account = :account and kind = 'wallet_credential'",
      { account: shop.account },
    );
    return rows.length;
  };

  test('to create a subscription that is charged later', async () => {
    const { code } = await subscribedByWallet(shop);
    const body = await walletSubscriptionBody(shop, { trial_days: 7 });
    const split = [{ recipient_id: UNKNOWN_ID, type: 'percentage', amount: 10 }];
    const wrong: readonly [field: string, fields: object][] = [
      ['code', { code }],
      ['customer.id', { customer: { id: UNKNOWN_ID } }],
      ['payment.split.0.recipient_id', { payment: { ...body.payment, split } }],
    ];
    for (const [field, fields] of wrong) assertRefused(await subscribe(shop, { ...body, ...fields }), field);
    const all = Object.assign({}, ...wrong.map(([, fields]) => fields));
    const { errors } = (await subscribe(shop, { ...body, ...all })).body;
    assert.deepEqual(Object.keys(errors).sort(), wrong.map(([field]) => field).sort());
    assert.equal(await verifications(), 0);
    await created(subscribe(shop, body));
    assert.equal(await verifications(), 1);
  });

  const canceled = async (fields: object = {}) => {
    const subscription = await subscribed(shop, fields);
    assert.equal((await shop.post('/subscriptions/cancel', { id: subscription.id })).status, 200);
    return subscription;
  };
  const refusals: readonly [what: string, field: string, start: () => Promise<Json>][] = [
    ['is canceled', 'status', canceled],
    ['has ended', 'status', () => canceled({ start_at: addDays(merchantDay(new Date()), 5) })],
    [
      'is completed',
      'status',
      async () => {
        const offer_id = await offerOf(shop, 1, { cycles: [{ start: 1, end: 1, amount: 4_990 }] });
        const subscription = await subscribed(shop, { offer_id, interval: undefined });
        await advance(shop, { days: 32 });
        return subscription;
      },
    ],
    ['is weekly', 'payment_method', () => requested(shop, { interval: 'weekly' })],
  ];
  for (const [what, field, start] of refusals) {
    test(`to charge a subscription that ${what}`, async () => {
      const { id } = await start();
      const browser_wallet_token = await walletToken(shop, { domain: domainOf(shop) });
      const body = { payment_method: 'browser_wallet', browser_wallet: { browser_wallet_token } };
      assertRefused(await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body }), field);
      assert.equal(await verifications(), 0);
    });
  }
});

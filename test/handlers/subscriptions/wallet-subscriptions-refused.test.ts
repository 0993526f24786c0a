import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import {
  subscribe,
  subscriptionBody,
  walletSubscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain, walletToken } from '../../support/wallet/wallet-shop.ts';

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
    for (const token of ['x', foreign]) {
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

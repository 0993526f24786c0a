/** `processing_model` of a request reaches the acquirer with every charge of the card. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance } from '../../support/clock-calls.ts';
import { authorizations } from '../../support/payments/acquirer-calls.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { NO_FUNDS, subscribe, subscriptionBody } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });

/** The models of the authorizations that are requested while `work` runs. */
async function modelsOf(work: () => Promise<unknown>): Promise<(string | null)[]> {
  return (await authorizations(service, work)).map(({ processingModel }) => processingModel);
}

describe('the processing model of an order', () => {
  const order = (shop: Shop, block: object) => async () => {
    const body = await shop.cardOrderBody();
    Object.assign(body.payment.credit_card, block);
    await created(shop.post('/charges/orders', body));
  };

  test('is sent to the acquirer, and null if the order has none', async () => {
    const shop = await Shop.open(service);
    assert.deepEqual(await modelsOf(order(shop, { processing_model: 'card_on_file' })), ['card_on_file']);
    assert.deepEqual(await modelsOf(order(shop, {})), [null]);
  });
});

describe('the processing model of a subscription', () => {
  const month = (count: number) =>
    billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);
  const advanceTo = (shop: Shop, day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });
  const subscribed = async (shop: Shop, block: object, number?: string) => {
    const body = await subscriptionBody(shop, {}, number);
    Object.assign(body.payment.credit_card, block);
    return created(subscribe(shop, body));
  };
  const MODEL = { processing_model: 'subscription' };

  test('is sent with the charge of every cycle, also to another card', async () => {
    const shop = await Shop.open(service);
    const models = await modelsOf(async () => {
      const { id, customer_id } = await subscribed(shop, MODEL);
      await advanceTo(shop, month(1));
      const body = {
        payment_method: 'credit_card',
        credit_card: { id: await shop.card(customer_id, '5555555555554444') },
      };
      assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
      await advanceTo(shop, month(2));
    });
    assert.deepEqual(models, ['subscription', 'subscription', 'subscription']);
  });

  test('is sent with each retry, and with the charge that recovers it', async () => {
    const shop = await Shop.open(service);
    const models = await modelsOf(async () => {
      const { id, customer_id } = await subscribed(shop, MODEL, NO_FUNDS);
      await advanceTo(shop, month(1));
      const body = { payment_method: 'credit_card', credit_card: { id: await shop.card(customer_id) } };
      assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
    });
    assert.ok(models.length > 2, `${models.length} charges`);
    assert.deepEqual([...new Set(models)], ['subscription']);
  });

  test('is null in every cycle if the request has none', async () => {
    const shop = await Shop.open(service);
    const models = await modelsOf(async () => {
      await subscribed(shop, {});
      await advanceTo(shop, month(1));
    });
    assert.deepEqual(models, [null, null]);
  });
});

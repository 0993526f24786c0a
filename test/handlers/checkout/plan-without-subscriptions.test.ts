/** Merchants whose plan does not include subscriptions cannot sell any, because they could not read or cancel them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { changeSettings } from '../../../services/subscriptions/change-settings.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import { oneTimeOffer, recurringOffer } from '../../support/pages/offer-bodies.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const MONTHLY = { recurrence_interval: 'monthly', payment_methods: ['credit_card'] };
const essential = () => Shop.open(service, { plan: 'essential' });

describe('a plan without subscriptions', () => {
  test('refuses recurring links, new and changed, and sells other links', async () => {
    const shop = await essential();
    assertRefused(await shop.post('/payment-links', linkBody(MONTHLY)), 'recurrence_interval');
    const once = await CheckoutPage.ofLink(shop);
    const change = await shop.call('PUT', `/payment-links/${once.id}`, { body: MONTHLY });
    assertRefused(change, 'recurrence_interval');
    assert.equal((await once.pay(pixBody())).status, 201);
  });

  test('refuses recurring offers, and sells others', async () => {
    const shop = await essential();
    const product = await created(shop.post('/products', { name: 'Curso' }));
    assertRefused(await shop.post(`/products/${product.id}/offers`, recurringOffer()), 'type');
    assert.equal((await shop.post(`/products/${product.id}/offers`, oneTimeOffer())).status, 201);
  });

  for (const [what, open] of [
    ['link', (shop: Shop) => CheckoutPage.ofLink(shop, MONTHLY)],
    ['offer', (shop: Shop) => CheckoutPage.ofOffer(shop, recurringOffer({ trial_days: undefined }))],
  ] as const) {
    test(`sells nothing at the page of a recurring ${what} from before`, async () => {
      const shop = await Shop.open(service);
      const page = await open(shop);
      const body = await page.subscriptionBody();
      await changeMerchant(service.deps, shop.account, { plan: 'essential' });
      const read = (await page.read()).body;
      assert.deepEqual([read.payable, read.reason], [false, 'unavailable']);
      assertRefused(await page.subscribe(body), 'status');
      await changeMerchant(service.deps, shop.account, { plan: 'standard' });
      assert.deepEqual((await shop.get('/subscriptions')).data, []);
      assert.equal((await page.subscribe(body)).status, 201);
    });
  }

  test('a recurring link from before can be made one that is paid once', async () => {
    const shop = await Shop.open(service);
    const page = await CheckoutPage.ofLink(shop, { ...MONTHLY, payment_methods: ['pix', 'credit_card'] });
    await changeMerchant(service.deps, shop.account, { plan: 'essential' });
    const path = `/payment-links/${page.id}`;
    assert.equal((await shop.call('PUT', path, { body: { title: 'Clube' } })).status, 200);
    assert.equal((await shop.call('PUT', path, { body: { recurrence_interval: null } })).status, 200);
    assert.equal((await page.pay(pixBody())).status, 201);
  });
});

describe('a change to a plan without subscriptions', () => {
  const toEssential = (shop: Shop) => changeSettings(service.deps, shop.account, { plan: 'essential' });

  test('is refused while a subscription could still be charged, and possible after its cancellation', async () => {
    const shop = await Shop.open(service);
    const page = await CheckoutPage.ofLink(shop, MONTHLY);
    await page.subscribed(await page.subscriptionBody());
    await assert.rejects(toEssential(shop), { reason: 'wrong_state' });
    const [subscription] = (await shop.get('/subscriptions')).data;
    await shop.post('/subscriptions/cancel', { id: subscription.id });
    assert.equal((await toEssential(shop)).plan, 'essential');
    assert.equal((await shop.call('GET', '/subscriptions')).status, 403);
  });

  test('is possible after the subscriptions have ended, and does not change other settings when refused', async () => {
    const shop = await Shop.open(service);
    const page = await CheckoutPage.ofOffer(
      shop,
      recurringOffer({ trial_days: undefined, cycles: [{ start: 1, end: 1, amount: 900 }] }),
    );
    await page.subscribed(await page.subscriptionBody());
    const settings = { plan: 'essential', name: 'Outro nome' };
    await assert.rejects(changeSettings(service.deps, shop.account, settings), { reason: 'wrong_state' });
    assert.notEqual((await changeSettings(service.deps, shop.account, {})).name, 'Outro nome');
    assert.equal((await changeSettings(service.deps, shop.account, { plan: 'standard' })).plan, 'standard');
    await shop.post('/sandbox/clock/advance', { days: 40 });
    assert.equal((await shop.get('/subscriptions')).data[0].status, 'completed');
    assert.equal((await changeSettings(service.deps, shop.account, settings)).name, 'Outro nome');
  });

  test('leaves a merchant that has such a plan already as it is', async () => {
    const shop = await Shop.open(service);
    const page = await CheckoutPage.ofLink(shop, MONTHLY);
    await page.subscribed(await page.subscriptionBody());
    // Before the change was refused, such merchants could come to be.
    await changeMerchant(service.deps, shop.account, { plan: 'essential' });
    const settings = { plan: 'essential', name: 'Outro nome' };
    assert.equal((await changeSettings(service.deps, shop.account, settings)).name, 'Outro nome');
  });
});

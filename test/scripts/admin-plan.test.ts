import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CheckoutPage } from '../support/pages/checkout-page.ts';
import { sharedService } from '../support/shared-service.ts';
import { Shop } from '../support/shop.ts';
import { adminWith } from './support/admin.ts';

test('a merchant gets no plan without subscriptions while a subscription is not canceled', async () => {
  const service = await sharedService({ jobs: false });
  const admin = adminWith({ DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir });
  const shop = await Shop.open(service);
  const link = { recurrence_interval: 'monthly', payment_methods: ['credit_card'] };
  const page = await CheckoutPage.ofLink(shop, link);
  await page.subscribed(await page.subscriptionBody());
  const toEssential = ['merchant', 'set', '--merchant', shop.account, '--plan', 'essential'];
  await admin.refused(
    toEssential,
    /^The plan essential does not include subscriptions, and the merchant has some that are not canceled\. Cancel them first\.$/,
  );
  const [subscription] = (await shop.get('/subscriptions')).data;
  await shop.post('/subscriptions/cancel', { id: subscription.id });
  assert.equal((await admin.json<{ plan: string }>(...toEssential)).plan, 'essential');
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { CheckoutPage } from '../support/checkout-page.ts';
import { sharedService } from '../support/shared-service.ts';
import { Shop } from '../support/shop.ts';

const MIGRATION = new URL('../../db/migrations/077-logos-of-existing-links.sql', import.meta.url);

const service = await sharedService({ jobs: false });

test('the logos of links that exist already are due after the migration', async () => {
  const shop = await Shop.open(service);
  const { id } = await CheckoutPage.ofLink(shop, { logo_url: 'https://example.com/logo.png' });
  await CheckoutPage.ofLink(shop);
  await service.rows('delete from payment_link_logos');
  await service.rows(await readFile(MIGRATION, 'utf8'));
  const due = await service.rows(
    'select link_id, url, attempts, version from payment_link_logos where due_at <= now()',
  );
  assert.deepEqual(due, [{ link_id: id, url: 'https://example.com/logo.png', attempts: 0, version: null }]);
});

/**
 * The addresses of clients are stored by a keyed hash, because an unkeyed one of an address is found by trying all
 * addresses.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { counterIdOf } from '../../../services/counter-id.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const ADDRESS = '203.0.113.77';
const service = await sharedService({ jobs: false, env: { TRUSTED_PROXIES: '127.0.0.1' } });

const digits = (id: string) => id.replaceAll('-', '');
const unkeyed = (value: string) => createHash('sha256').update(value).digest('hex').slice(0, 32);

test('the limits of requests and of unreadable cards do not show the address of a buyer', async () => {
  const shop = await Shop.open(service);
  const page = await CheckoutPage.ofLink(shop);
  const body = await page.cardBody();
  const parts = body.credit_card.encrypted.split('.');
  body.credit_card.encrypted = [...parts.slice(0, 4), 'A'.repeat(22)].join('.');
  assert.equal((await page.pay(body, { headers: { 'x-forwarded-for': ADDRESS } })).status, 400);
  const rows = await service.rows<{ key_id: string }>(
    'select distinct key_id from rate_windows where merchant_id = :account',
    { account: shop.account },
  );
  const ids = rows.map(({ key_id }) => digits(key_id));
  for (const [name, value] of [
    [`requests\0${shop.account}`, `${shop.account}\0${ADDRESS}`],
    ['card-failures\0buyer', `card-failures\0buyer\0${ADDRESS}`],
  ] as const) {
    assert.ok(ids.includes(digits(counterIdOf(service.deps, name, ADDRESS))), name);
    assert.ok(!ids.includes(unkeyed(value)), name);
  }
});

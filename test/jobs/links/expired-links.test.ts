import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Client } from 'pg';
import { markExpiredLinks } from '../../../db/links/expired-links.ts';
import { HOUR_MS, SECOND_MS } from '../../support/clock-calls.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import * as jobs from '../../support/run-jobs.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';

const LINKS = 5;

const service = await sharedService({ jobs: false });
let shop: Shop;
/** When the first of the shop's links expires. The others follow each second. */
let expires_ms: number;
/** Of the links, in the order in which they expire. */
let ids: string[];
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
  expires_ms = Date.now() + HOUR_MS;
  ids = [];
  for (let n = 0; n < LINKS; n++) {
    const expires_at = new Date(expires_ms + n * SECOND_MS).toISOString();
    ids.push((await created(shop.post('/payment-links', linkBody({ expires_at })))).id);
  }
});

async function marked(): Promise<string[]> {
  const rows = await service.rows<{ id: string }>(
    'select id from payment_links where merchant_id = :id and is_expired order by expires_at',
    { id: shop.account },
  );
  return rows.map(({ id }) => id);
}

test('a batch has as many links as asked for, and those that expired first', async () => {
  const { slot, merchantId } = shop.onboarded.merchant;
  const before = new Date(expires_ms + 3 * SECOND_MS);
  const batch = () => markExpiredLinks(service.deps.db, slot, { before, limit: 3 });
  const scope = { slot, merchantId };
  assert.deepEqual(await batch(), [scope, scope, scope]);
  assert.deepEqual(await marked(), ids.slice(0, 3));
  assert.deepEqual(await batch(), [scope]);
  assert.deepEqual(await batch(), []);
  assert.deepEqual(await marked(), ids.slice(0, 4));
});

test('a link that another transaction holds is left, and the others are marked without waiting for it', async () => {
  service.setAhead(2 * HOUR_MS);
  const other = new Client({ connectionString: service.databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query('select 1 from payment_links where id = $1 for update', [ids[0]]);
  await jobs.markExpiredLinks(service.deps);
  assert.deepEqual(await marked(), ids.slice(1));
  await other.end();
  await jobs.markExpiredLinks(service.deps);
  assert.deepEqual(await marked(), ids);
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { Client } from 'pg';
import { deleteExpired } from '../../../db/expired-rows.ts';
import { checkout } from '../../../jobs/checkout/area.ts';
import { events } from '../../../jobs/events/area.ts';
import { expiredRows } from '../../../jobs/maintenance/expired-rows.ts';
import { merchants } from '../../../jobs/merchants/area.ts';
import { webhooks } from '../../../jobs/webhooks/area.ts';
import { WorkLoop } from '../../../jobs/work-loop.ts';
import { idAt } from '../../support/db/ids-by-time.ts';
import { startTestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';

const service = await startTestService({ jobs: false });
const { deps } = service;
after(() => service.stop());

/** Events of a merchant, with their positions and deliveries, so many days old. Less than 0: its clock is ahead. */
async function insertAged(shop: Shop, days: number, count: number): Promise<void> {
  await service.rows(
    `with made as (
       insert into events (slot, merchant_id, id, event, object_type, object_id, data, created_at)
       select slot, merchant_id, gen_random_uuid(), 'payment.created', 'payment', gen_random_uuid(), '{}',
              now() - :days * interval '1 day'
         from merchants, generate_series(1, :count) where merchant_id = :account
       returning *),
     positioned as (
       insert into event_positions (slot, merchant_id, position, event_id, created_at)
       select slot, merchant_id, :days * 100000 + row_number() over (), id, now() from made)
     insert into webhook_deliveries (slot, merchant_id, id, queue_id, url, event, event_id, status, created_at)
     select slot, merchant_id, ${idAt('created_at')}, merchant_id, 'https://a.example', event, id, 'succeeded', created_at
       from made`,
    { account: shop.account, days, count },
  );
}

const count = async (table: string) => {
  const [row] = await service.rows<{ count: number }>(
    `select cast(count(*) as integer) as count from ${table}`,
  );
  return row!.count;
};

it('old events with their positions and old deliveries are deleted in batches, others are kept', async () => {
  const shops = await Promise.all([Shop.open(service), Shop.open(service)]);
  for (const shop of shops) {
    await insertAged(shop, 400, 1_200);
    await insertAged(shop, 390, 3);
    await insertAged(shop, 20, 3);
    await insertAged(shop, -300, 3);
  }
  const tables = [...events.expiringTables!, ...webhooks.expiringTables!];
  await new WorkLoop(deps, expiredRows(deps, tables)).runToEnd();
  assert.equal(await count('events'), 2 * 9);
  assert.equal(await count('event_positions'), 2 * 9);
  assert.equal(await count('webhook_deliveries'), 2 * 6);
});

it('a batch has at most as many rows as asked for, and reads only these from an index', async () => {
  const shop = await Shop.open(service);
  await insertAged(shop, 400, 5_000);
  await service.rows('analyze events, webhook_deliveries, event_positions, merchants');
  const [row] = await service.rows<{ slot: number }>('select slot from merchants where merchant_id = :id', {
    id: shop.account,
  });
  for (const [table, index] of [
    [events.expiringTables![0]!, 'events_newest'],
    [webhooks.expiringTables![0]!, 'webhook_deliveries_pkey'],
  ] as const) {
    const plan: string[] = [];
    const batch = { table, before: new Date(Date.now() - table.kept_ms), limit: 10 };
    const slotRows = async (slot: number, sql: string, params: object) => {
      const lines = await deps.db.anywhere<{ 'QUERY PLAN': string }>(`explain ${sql}`, { ...params, slot });
      plan.push(...lines.map((line) => line['QUERY PLAN']));
      return [];
    };
    await deleteExpired({ ...deps.db, slotRows } as typeof deps.db, row!.slot, batch);
    assert.match(plan.join('\n'), new RegExp(`Index (Only )?Scan (Backward )?using ${index}`));
    assert.doesNotMatch(plan.join('\n'), new RegExp(`Seq Scan on ${table.table}`));
    const before = await count(table.table);
    assert.equal((await deleteExpired(deps.db, row!.slot, batch)).length, 10);
    assert.equal(await count(table.table), before - 10);
  }
});

it('a row that another transaction has locked is left, and the others are deleted without waiting for it', async () => {
  const shop = await Shop.open(service);
  await insertAged(shop, 31, 5);
  const work = expiredRows(deps, webhooks.expiringTables!);
  const left = () =>
    service.rows<{ id: string }>('select id from webhook_deliveries where merchant_id = :account', {
      account: shop.account,
    });
  const [locked] = await left();
  const other = new Client({ connectionString: service.databaseUrl });
  await other.connect();
  await other.query('begin');
  await other.query('select 1 from webhook_deliveries where id = $1 for update', [locked!.id]);
  await new WorkLoop(deps, work).runToEnd();
  assert.deepEqual(await left(), [locked]);
  await other.end();
  await new WorkLoop(deps, work).runToEnd();
  assert.deepEqual(await left(), []);
});

it('counters that belong to no merchant are deleted in slots without merchants too', async () => {
  const [free] = await service.rows<{ slot: number }>(
    `select slot from generate_series(0, 255) slot where slot not in (select slot from merchants) limit 1`,
  );
  const counter = { ...free, merchant: '00000000-0000-0000-0000-000000000000', id: randomUUID() };
  for (const [table, key, counts] of [
    ['rate_windows', 'key_id', 'used'],
    ['checkout_tries', 'counter_id', 'tries'],
  ]) {
    await service.rows(
      `insert into ${table} (slot, merchant_id, ${key}, minute, ${counts})
       select :slot, :merchant, :id, now() - minutes * interval '1 minute', 1 from unnest('{0,62}'::int[]) minutes`,
      counter,
    );
    const tables = [...merchants.expiringTables!, ...checkout.expiringTables!];
    await new WorkLoop(deps, expiredRows(deps, tables)).runToEnd();
    const left = await service.rows(`select 1 from ${table} where ${key} = :id`, counter);
    assert.equal(left.length, 1, table);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../db/engine/database.ts';
import { keyUsage } from '../../../services/merchants/key-usage.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });

test('what could not be written is written the next time, and later uses count', async () => {
  const shops = [await Shop.open(service), await Shop.open(service), await Shop.open(service)];
  const keys = await Promise.all(
    shops.map(async ({ account }) => {
      const [key] = await service.rows<{ slot: number; id: string }>(
        'select slot, id from api_keys where merchant_id = :account',
        { account },
      );
      return { scope: { slot: key!.slot, merchantId: account }, id: key!.id };
    }),
  );
  let fails: string | undefined = keys[0]!.id;
  const db: Database = {
    ...service.deps.db,
    execute: async (scope, sql, params) => {
      if (params?.id === fails) throw new Error('The database was restarted.');
      return service.deps.db.execute(scope, sql, params);
    },
  };
  const usage = keyUsage(db);
  const lastUsed = async () => {
    const rows = await service.rows<{ id: string; last_used_at: Date | null }>(
      'select id, last_used_at from api_keys',
    );
    return keys.map(({ id }) => rows.find((row) => row.id === id)!.last_used_at?.toISOString() ?? null);
  };

  const first = '2026-11-28T10:00:00.000Z';
  const later = '2026-11-28T11:00:00.000Z';
  for (const { scope, id } of keys) usage.used(scope, id, new Date(first));
  await assert.rejects(usage.flush(), /restarted/);
  usage.used(keys[2]!.scope, keys[2]!.id, new Date(later));
  await assert.rejects(usage.flush(), /restarted/);
  assert.deepEqual(await lastUsed(), [null, first, later]);
  fails = undefined;
  assert.equal(await usage.flush(), 1);
  assert.deepEqual(await lastUsed(), [first, first, later]);
  assert.equal(await usage.flush(), 0);
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AdminDatabase, adminDatabase, UNKNOWN_ID } from './support/admin-database.ts';

let admin: AdminDatabase;
before(async () => {
  admin = await adminDatabase();
});
after(() => admin.remove());

interface Key {
  id: string;
  name: string;
  prefix: string;
  last_4: string;
  status: string;
  created_at: string;
  last_used_at: string | null;
  permissions: string[] | null;
}

describe('key', () => {
  test('create prints the key once; list prints everything except the key', async () => {
    const { merchant_id: merchant } = await admin.createMerchant();
    const created = await admin.json<{ id: string; api_key: string }>(
      ...['key', 'create', '--merchant', merchant, '--name', 'Loja 2'],
      ...['--permissions', 'cards:read,payments:write', '--permissions', 'cards:read'],
    );
    assert.deepEqual(Object.keys(created), ['id', 'api_key']);
    assert.deepEqual((await admin.whoIs(created.api_key)).permissions, ['cards:read', 'payments:write']);

    const keys = await admin.json<Key[]>('key', 'list', '--merchant', merchant);
    assert.deepEqual(
      keys.map(({ name }) => name),
      ['First key', 'Loja 2'],
    );
    const { created_at, ...rest } = keys[1]!;
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.deepEqual(rest, {
      id: created.id,
      name: 'Loja 2',
      prefix: 'pay_test_',
      last_4: created.api_key.slice(-4),
      status: 'active',
      last_used_at: null,
      permissions: ['cards:read', 'payments:write'],
    });
    const text = (await admin.run('key', 'list', '--merchant', merchant)).stdout;
    assert.match(text, /^id +name +prefix +last_4 +status/);
    assert.ok(!text.includes(created.api_key));
  });

  test('disable and suspend block the key, enable allows it again, and revoke is final', async () => {
    const { merchant_id: merchant, api_key } = await admin.createMerchant();
    const [key] = await admin.json<Key[]>('key', 'list', '--merchant', merchant);
    const id = key!.id;
    for (const [verb, status] of [
      ['disable', 'disabled'],
      ['suspend', 'suspended'],
    ] as const) {
      assert.equal((await admin.json<Key>('key', verb, id)).status, status);
      await assert.rejects(admin.whoIs(api_key), { reason: 'api_key_not_allowed' });
      assert.equal((await admin.json<Key>('key', 'enable', id)).status, 'active');
      await admin.whoIs(api_key);
    }
    assert.match((await admin.run('key', 'revoke', id)).stdout, /^The key First key \(.*\) is revoked\.\n$/);
    await assert.rejects(admin.whoIs(api_key), { reason: 'unknown_api_key' });
    await admin.run('key', 'revoke', id);
    for (const verb of ['enable', 'disable', 'suspend']) {
      await admin.refused(['key', verb, id], new RegExp(`^The key ${id} is revoked, which is final\\.$`));
    }
    await assert.rejects(admin.whoIs(api_key), { reason: 'unknown_api_key' });
  });

  test('reports an unknown id', async () => {
    const flags = ['--merchant', UNKNOWN_ID, '--name', 'x'];
    await admin.refused(['key', 'create', ...flags], /^There is no merchant /);
    await admin.refused(['key', 'list', '--merchant', UNKNOWN_ID], /^There is no merchant /);
    await admin.refused(['key', 'revoke', UNKNOWN_ID], new RegExp(`^There is no API key ${UNKNOWN_ID}\\.$`));
  });
});

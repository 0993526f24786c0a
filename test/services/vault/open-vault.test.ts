import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Database, openDatabase } from '../../../db/engine/database.ts';
import { listVaultKeys } from '../../../db/vault/vault-keys.ts';
import { openVault } from '../../../services/vault/vault.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

const MASTER = Buffer.alloc(32, 7);

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await testDatabase();
  db = openDatabase({ url: database.url });
});
after(async () => {
  await db.close();
  await database.drop();
});

test('processes that start together on an empty database create one key version', async () => {
  for (let round = 0; round < 20; round += 1) {
    await db.anywhere('delete from vault_keys');
    const vaults = await Promise.all(Array.from({ length: 6 }, () => openVault(db, [MASTER])));
    assert.deepEqual(
      vaults.map(({ version }) => version),
      vaults.map(() => 1),
    );
    assert.equal((await listVaultKeys(db)).length, 1);
    const sealed = vaults[0]!.seal('4111', 'a card');
    assert.equal(String(await vaults[5]!.open(sealed, 'a card')), '4111');
  }
});

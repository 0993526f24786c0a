import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listVersionsInUse } from '../../db/vault/sealed-values.ts';
import { SEALED_COLUMNS } from '../../jobs/index.ts';
import { type AdminDatabase, adminDatabase } from './support/admin-database.ts';

let admin: AdminDatabase;
before(async () => {
  admin = await adminDatabase();
});
after(() => admin.remove());

test('vault rotate encrypts all values with a new key version, and prints what it did', async () => {
  await admin.createMerchant();
  await admin.createMerchant();
  const rotation = await admin.json<object>('vault', 'rotate');
  // Two keys of each merchant.
  assert.deepEqual(rotation, { version: 2, resealed: 4, retired: [] });
  const encryptionKeys = SEALED_COLUMNS.find(({ column }) => column === 'encryption_key_sealed')!;
  assert.deepEqual(await listVersionsInUse(admin.db, encryptionKeys), [2]);

  const { stdout } = await admin.run('vault', 'rotate');
  assert.match(stdout, /^All values are encrypted with key version 3:\n {2}version +3\n {2}resealed +4\n/);
});

test('a value that cannot be decrypted is reported', async () => {
  const { merchant_id: merchant } = await admin.createMerchant();
  await admin.db.anywhere(
    'update merchants set encryption_key_sealed = private_key_sealed where merchant_id = :merchant',
    { merchant },
  );
  await admin.refused(
    ['vault', 'rotate'],
    new RegExp(
      `^These values cannot be decrypted, .*: merchants.encryption_key_sealed of ${merchant}\\. .* key version \\d+\\.$`,
    ),
  );
});

import type { Database } from '../engine/database.ts';

export interface WrappedKey {
  readonly version: number;
  readonly wrappedKey: Buffer;
}

/** All data keys of the vault, newest first. */
export async function listVaultKeys(db: Database): Promise<WrappedKey[]> {
  const rows = await db.anywhere<{ version: number; wrapped_key: Buffer }>(
    'select version, wrapped_key from vault_keys order by version desc',
  );
  return rows.map((row) => ({ version: row.version, wrappedKey: row.wrapped_key }));
}

/** Adds a version. Returns false when another process has added it. */
export async function insertVaultKey(db: Database, key: WrappedKey, at: Date): Promise<boolean> {
  const rows = await db.anywhere<{ version: number }>(
    `insert into vault_keys (version, wrapped_key, created_at) values (:version, :wrapped_key, :at)
     on conflict (version) do nothing returning version`,
    { version: key.version, wrapped_key: key.wrappedKey, at },
  );
  return rows.length === 1;
}

/** Replaces a data key by the same key, sealed with another master key. */
export async function updateWrapping(db: Database, key: WrappedKey): Promise<void> {
  await db.anywhere('update vault_keys set wrapped_key = :wrapped_key where version = :version', {
    version: key.version,
    wrapped_key: key.wrappedKey,
  });
}

/** Versions that are older than a version which was made at `before` or earlier. */
export async function listSupersededVersions(db: Database, before: Date): Promise<number[]> {
  const rows = await db.anywhere<{ version: number }>(
    `select version from vault_keys
      where version < (select max(version) from vault_keys where created_at <= :before)
      order by version`,
    { before },
  );
  return rows.map(({ version }) => version);
}

/**
 * Deletes a version with which no value is sealed any more. A value that is still sealed with it could never be opened
 * again.
 */
export async function deleteVaultKey(db: Database, version: number): Promise<void> {
  await db.anywhere('delete from vault_keys where version = :version', { version });
}

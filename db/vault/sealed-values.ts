import type { Database } from '../engine/database.ts';

/** A column of values that the vault sealed. `key` is the column that identifies a row within a merchant. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly key: string;
  readonly keyType: 'uuid' | 'text';
}

export interface SealedValue {
  readonly merchantId: string;
  readonly key: string;
  readonly sealed: Buffer;
}

/** The position of a value in its column: the last one that was read. */
export type SealedPosition = Pick<SealedValue, 'merchantId' | 'key'>;

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * SQL for the version of the key with which a value is sealed: bytes 1 and 2 (services/vault/vault.ts describes the
 * layout).
 */
function versionOf(column: string): string {
  return `get_byte(${column}, 1) * 256 + get_byte(${column}, 2)`;
}

/** The next values of a slot that are sealed with a version older than `version`, in the order of the primary key. */
export async function listOlderValues(
  db: Database,
  slot: number,
  { table, column, key, keyType }: SealedColumn,
  walk: { readonly version: number; readonly after: SealedPosition | null; readonly limit: number },
): Promise<SealedValue[]> {
  const rows = await db.slotRows<{ merchant_id: string; key: string; sealed: Buffer }>(
    slot,
    `select merchant_id, ${key} as key, ${column} as sealed from ${table}
      where {slot} and (merchant_id, ${key}) > (:after_merchant, :after_key)
        and ${column} is not null and ${versionOf(column)} < :version
      order by merchant_id, ${key} limit :limit`,
    {
      after_merchant: walk.after?.merchantId ?? NIL_UUID,
      after_key: walk.after?.key ?? (keyType === 'uuid' ? NIL_UUID : ''),
      version: walk.version,
      limit: walk.limit,
    },
  );
  return rows.map((row) => ({ merchantId: row.merchant_id, key: row.key, sealed: row.sealed }));
}

/** A value and the one that replaces it. */
export interface Resealed extends SealedValue {
  readonly fresh: Buffer;
}

/** Replaces the values that have not changed since they were read. Resolves to how many it replaced. */
export async function replaceValues(
  db: Database,
  slot: number,
  { table, column, key, keyType }: SealedColumn,
  values: readonly Resealed[],
): Promise<number> {
  const rows = await db.slotRows(
    slot,
    `update ${table} t set ${column} = v.fresh
       from unnest(:merchants::uuid[], :keys::${keyType}[], :olds::bytea[], :freshes::bytea[])
         as v (merchant_id, key, old, fresh)
      where {slot:t} and t.merchant_id = v.merchant_id and t.${key} = v.key and t.${column} = v.old
      returning t.merchant_id`,
    {
      merchants: values.map(({ merchantId }) => merchantId),
      keys: values.map((value) => value.key),
      olds: values.map(({ sealed }) => sealed),
      freshes: values.map(({ fresh }) => fresh),
    },
  );
  return rows.length;
}

/** All key versions with which values of this column are sealed. */
export async function listVersionsInUse(db: Database, { table, column }: SealedColumn): Promise<number[]> {
  const rows = await db.anywhere<{ version: number }>(
    `select distinct ${versionOf(column)} as version from ${table} where ${column} is not null`,
  );
  return rows.map(({ version }) => version);
}

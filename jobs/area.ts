import type { ExpiringRows } from '../db/expired-rows.ts';
import type { MerchantTable } from '../db/merchants/merchant-data.ts';
import type { ClockedWork, Deps } from '../services/deps.ts';
import type { ContextualColumn } from '../services/maintenance/rotate-vault.ts';
import type { Job } from './loop.ts';

/** What an area of the trade adds to the parts of the service that work for all areas. */
export interface Area {
  /** Its background jobs in a worker. */
  readonly jobs?: (deps: Deps) => readonly Job[];
  /** Its work that falls due by a merchant's clock. */
  readonly clockedWork?: readonly ClockedWork[];
  /** Its columns that the vault sealed. The rotation of the vault would lose one that is missing. */
  readonly sealedColumns?: readonly ContextualColumn[];
  /** Its tables whose rows are deleted some time after they expire. */
  readonly expiringTables?: readonly ExpiringTable[];
  /** Its tables that a reset of the sandbox empties. */
  readonly merchantTables?: readonly MerchantTable[];
}

/** A table whose rows are deleted once they have been expired for `kept_ms` (wall time). */
export interface ExpiringTable extends ExpiringRows {
  readonly kept_ms: number;
}

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** A sealed column of rows with a UUID, to which the vault binds each value. */
export function sealedColumn(
  table: string,
  column: string,
  key: string,
  context: (id: string) => string,
): ContextualColumn {
  return { table, column, key, keyType: 'uuid', context: (place) => context(place.key) };
}

import type { ExpiringRows } from '../db/expired-rows.ts';
import type { MerchantTable } from '../db/merchants/merchant-data.ts';
import type {
  CardUse,
  ClockedWork,
  Deps,
  MandateListener,
  NotificationUrls,
  PaymentListener,
} from '../services/deps.ts';
import type { ContextualColumn } from '../services/maintenance/rotate-vault.ts';
import type { Job } from './loop.ts';

/** The entries of an area in the parts of the service that work for all areas. */
export interface Area {
  /** Its background jobs in a worker. */
  readonly jobs?: (deps: Deps) => readonly Job[];
  /** Its work that falls due by the clocks of merchants. */
  readonly clockedWork?: readonly ClockedWork[];
  /** Its sealed columns. A rotation of the vault would make the values of a missing column unreadable. */
  readonly sealedColumns?: readonly ContextualColumn[];
  /** The addresses that its objects have for their events. */
  readonly notificationUrls?: readonly NotificationUrls[];
  /** What it does when a payment changes. */
  readonly paymentListeners?: readonly PaymentListener[];
  /** What it does when a mandate changes. */
  readonly mandateListeners?: readonly MandateListener[];
  /** What it uses cards for. */
  readonly cardUses?: readonly CardUse[];
  /** Its tables whose rows are deleted after they expire. */
  readonly expiringTables?: readonly ExpiringTable[];
  /** Its tables that a reset of the sandbox empties. */
  readonly merchantTables?: readonly MerchantTable[];
}

/** A table whose rows are deleted `kept_ms` after they expire (wall time). */
export interface ExpiringTable extends ExpiringRows {
  readonly kept_ms: number;
}

/** A sealed column whose vault contexts contain the UUID of the row. */
export function sealedColumn(
  table: string,
  column: string,
  key: string,
  context: (id: string) => string,
): ContextualColumn {
  return { table, column, key, keyType: 'uuid', context: ({ key: id }) => context(id) };
}

import type { MerchantScope } from '../../domain/scope.ts';
import type { Tx } from '../engine/database.ts';
import { PARENTS, parentsFirst, type ReferringTable } from '../engine/table-order.ts';

/** How many rows of each kind were deleted. */
export interface DeletedRows {
  readonly recipients: number;
  readonly customers: number;
  /** Without cards that the merchant had already deleted. */
  readonly cards: number;
  readonly orders: number;
  readonly payments: number;
  readonly refunds: number;
  readonly disputes: number;
  readonly events: number;
  readonly products: number;
  readonly offers: number;
  readonly payment_links: number;
  readonly subscriptions: number;
}

/** A table of which a reset of the sandbox deletes a merchant's rows. */
export interface MerchantTable {
  readonly table: string;
  /** Where `DeletedRows` counts its rows. Without it they are not counted. */
  readonly countedAs?: keyof DeletedRows;
  /** Condition on the rows that are counted. Without it all are. */
  readonly countedIf?: string;
  /**
   * Other transactions lock rows of this table before they write to further tables: several rows in the order of this
   * column.
   */
  readonly lockedBy?: 'id' | 'merchant_id';
  /** Column with the id of the request that wrote the row. The row of the reset itself stays. */
  readonly requestColumn?: string;
}

const NOTHING: DeletedRows = {
  recipients: 0,
  customers: 0,
  cards: 0,
  orders: 0,
  payments: 0,
  refunds: 0,
  disputes: 0,
  events: 0,
  products: 0,
  offers: 0,
  payment_links: 0,
  subscriptions: 0,
};

/**
 * Deletes the merchant's rows of `tables`, each table before those that it refers to. The account, its settings and its
 * API keys stay. Transactions of the merchant that write at the same time wait, or are waited for.
 */
export async function deleteMerchantData(
  tx: Tx,
  scope: MerchantScope,
  { tables, requestId }: { readonly tables: readonly MerchantTable[]; readonly requestId: string },
): Promise<DeletedRows> {
  const ordered = await childrenFirst(tx, tables);
  // Other transactions lock rows in this order too (a payment before its card), so that no two transactions wait for
  // each other. `no key update`, because those transactions may still write rows that refer to the locked ones.
  for (const { table, lockedBy } of ordered) {
    if (lockedBy === undefined) continue;
    const rows = `select 1 from ${table} where {scope} order by ${lockedBy} for no key update`;
    await tx.one(scope, `select count(*) from (${rows}) locked`);
  }
  await tx.one(scope, 'select merchant_id from merchants where {scope} for update');
  const deleted = { ...NOTHING };
  for (const table of ordered) {
    const count = await deleteRows(tx, scope, table, requestId);
    if (table.countedAs !== undefined) deleted[table.countedAs] = count;
  }
  await tx.execute(scope, 'update merchants set next_recipient_number = 1 where {scope}');
  return deleted;
}

/** Returns how many of the deleted rows are to be counted. */
async function deleteRows(
  tx: Tx,
  scope: MerchantScope,
  { table, countedIf, requestColumn }: MerchantTable,
  requestId: string,
): Promise<number> {
  const deletion = `delete from ${table} where {scope}`;
  if (requestColumn !== undefined) {
    return tx.execute(scope, `${deletion} and ${requestColumn} <> :request_id`, { request_id: requestId });
  }
  if (countedIf === undefined) return tx.execute(scope, deletion);
  const counted = await tx.execute(scope, `${deletion} and ${countedIf}`);
  await tx.execute(scope, deletion);
  return counted;
}

async function childrenFirst(tx: Tx, tables: readonly MerchantTable[]): Promise<MerchantTable[]> {
  const references = await tx.anywhere<ReferringTable>(
    `select c.oid::regclass::text as name, ${PARENTS} as parents
       from pg_class c where c.oid = any(cast(cast(:names as text[]) as regclass[]))`,
    { names: tables.map(({ table }) => table) },
  );
  const parentsOf = new Map(references.map(({ name, parents }) => [name, parents]));
  const named = tables.map((each) => ({ ...each, name: each.table, parents: parentsOf.get(each.table)! }));
  return parentsFirst(named).reverse();
}

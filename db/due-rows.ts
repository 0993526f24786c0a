import type { MerchantScope } from '../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from './engine/claim.ts';
import type { Database, Queryable } from './engine/database.ts';
import { slotsWithRows } from './engine/slots-with-rows.ts';

/** A table whose rows have a next step, which is due at `due_at` by the merchant's clock. */
export interface DueRows {
  readonly table: 'payments' | 'subscriptions' | 'mandates';
  /**
   * SQL condition: the row's step may run once it is due. Absent if every step may. `mayCharge`: the merchant may
   * charge customers.
   */
  readonly isReady?: (mayCharge: boolean) => string;
  /**
   * SQL condition: at least one step of the merchant that is due by `until` may run now. Absent if this is always true.
   */
  readonly mayRun?: (merchantId: string, until: string) => string;
}

const readyRows = ({ isReady }: DueRows, mayCharge: boolean) => isReady?.(mayCharge) ?? 'true';
const mayRunNow = ({ mayRun }: DueRows, merchantId: string, until: string) =>
  mayRun?.(merchantId, until) ?? 'true';

/**
 * Slots that have rows due by `until`. Called once per process and round. The rows of a suspended merchant stay due, so
 * there can be many.
 */
export async function slotsWithDueRows(db: Database, { table }: DueRows, until: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(slotsWithRows(table, 'due_at <= :until', 'due_at'), {
    until,
  });
  return rows.map((row) => row.slot);
}

/** Merchants of one slot that have rows due by `until`, the longest due first. */
export async function merchantsWithDueRows(
  db: Database,
  slot: number,
  rows: DueRows,
  { only, except, limit, until }: Claim & { readonly until: Date },
): Promise<MerchantScope[]> {
  const found =
    only === null
      ? await db.slotRows<{ merchant_id: string }>(slot, anyWithDueRows(rows), { except, limit, until })
      : await db.slotRows<{ merchant_id: string }>(slot, oneWithDueRows(rows), { only, until });
  // A merchant is found once for each instant at which it has due rows.
  return [...new Set(found.map((row) => row.merchant_id))].map((merchantId) => ({ slot, merchantId }));
}

/**
 * Goes through the index of due rows from each pair of instant and merchant to the next one, and passes the other rows
 * of the pair: most rows of a merchant fall due at the same instant. Postgres itself would read all due rows for a
 * `distinct`, or even all rows with a next step.
 */
function anyWithDueRows(rows: DueRows): string {
  const next = (condition: string) => `
    select d.due_at, d.merchant_id from ${rows.table} d
     where {slot:d} and d.due_at <= :until ${condition} order by d.due_at, d.merchant_id limit 1`;
  return `with recursive due as (
      (${next('')})
      union all
      select following.* from due,
        lateral (${next('and (d.due_at, d.merchant_id) > (due.due_at, due.merchant_id)')}) following)
    select due.merchant_id from due
     where due.merchant_id <> all(cast(:except as uuid[])) and ${mayRunNow(rows, 'due.merchant_id', ':until')}
     limit :limit`;
}

function oneWithDueRows(rows: DueRows): string {
  return `select d.merchant_id from ${rows.table} d
           where {slot:d} and d.merchant_id = :only and d.due_at <= :until
             and ${mayRunNow(rows, ':only', ':until')} limit 1`;
}

/** The time of the clock `c`. `:wall` is wall time. */
const CLOCK_TIME = `cast(:wall as timestamptz) + c.offset_ms * interval '1 millisecond'`;

/** Condition on a clock `c`: it was advanced, is not being advanced now, and its merchant has rows `d` due by it. */
function isDueByClock(table: string, slot: string): string {
  return `c.offset_ms > 0 and c.target is null and exists (
    select from ${table} d where ${slot} and d.merchant_id = c.merchant_id and d.due_at <= ${CLOCK_TIME})`;
}

/** Slots with merchants who have rows due by a clock that was advanced. Sandbox only. */
export async function slotsWithRowsDueByClock(
  db: Database,
  { table }: DueRows,
  wall: Date,
): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    `select distinct c.slot from merchant_clocks c where ${isDueByClock(table, 'd.slot = c.slot')}`,
    { wall },
  );
  return rows.map((row) => row.slot);
}

/** The merchants of one slot who have rows due by a clock that was advanced. */
export async function merchantsWithRowsDueByClock(
  db: Database,
  slot: number,
  rows: DueRows,
  claim: Claim & { readonly wall: Date },
): Promise<MerchantScope[]> {
  const found = await db.slotRows<{ merchant_id: string }>(
    slot,
    `select c.merchant_id from merchant_clocks c
      where {slot:c} and ${claimCondition('c')} and ${isDueByClock(rows.table, '{slot:d}')}
        and ${mayRunNow(rows, 'c.merchant_id', CLOCK_TIME)} limit :limit`,
    { ...claimParams(claim), wall: claim.wall },
  );
  return found.map((row) => ({ slot, merchantId: row.merchant_id }));
}

/** When the next step of a merchant that may run is due in each of some tables, in their order; null if none is. */
export async function nextDueRows(
  q: Queryable,
  scope: MerchantScope,
  tables: readonly DueRows[],
  mayCharge: boolean,
): Promise<(Date | null)[]> {
  const next = (rows: DueRows, i: number) =>
    `(select min(due_at) from ${rows.table}
       where {scope} and due_at is not null and ${readyRows(rows, mayCharge)}) as due_${i}`;
  const found = await q.one<Record<string, Date | null>>(scope, `select ${tables.map(next).join(', ')}`);
  return tables.map((_, i) => found[`due_${i}`] ?? null);
}

interface Postponement {
  /** The id of the only row; absent for all of the merchant. */
  readonly id?: string;
  readonly mayCharge: boolean;
  readonly until: Date;
  readonly dueAt: Date;
}

/**
 * Lets the steps of a merchant that may run and are due by `until` wait until `dueAt`. Skips rows that another worker
 * holds.
 */
export async function postponeDueRows(
  q: Queryable,
  scope: MerchantScope,
  rows: DueRows,
  { id, mayCharge, until, dueAt }: Postponement,
): Promise<void> {
  await q.execute(
    scope,
    `with due as materialized (
       select id from ${rows.table} where {scope} and due_at <= :until and ${readyRows(rows, mayCharge)}
          and (cast(:id as uuid) is null or id = :id) for no key update skip locked)
     update ${rows.table} d set due_at = :due_at from due where {scope:d} and d.id = due.id`,
    { id: id ?? null, until, due_at: dueAt },
  );
}

import type { MerchantScope } from '../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from './engine/claim.ts';
import type { Database } from './engine/database.ts';

/** A table whose rows have a next step, which is due at `due_at` by the merchant's clock. */
export interface DueRows {
  readonly table: 'payments' | 'subscriptions' | 'mandates';
  /** The condition on the rows `d` whose step may run now. */
  readonly mayRun: string;
}

/** Slots that have rows due by `until`. Called once per process and round. */
export async function slotsWithDueRows(db: Database, { table }: DueRows, until: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    `select distinct slot from ${table} where due_at <= :until`,
    { until },
  );
  return rows.map((row) => row.slot);
}

/** Merchants of one slot that have rows due by `until`. */
export async function merchantsWithDueRows(
  db: Database,
  slot: number,
  { table, mayRun }: DueRows,
  claim: Claim & { readonly until: Date },
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `select distinct d.merchant_id from ${table} d
      where {slot:d} and d.due_at <= :until and ${claimCondition('d')} and ${mayRun} limit :limit`,
    { ...claimParams(claim), until: claim.until },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

/**
 * Condition on a clock `c`: it was advanced, is not being advanced now, and its merchant has rows `d` due by it. `:wall` is
 * wall time.
 */
function isDueByClock(table: string, condition: string): string {
  return `c.offset_ms > 0 and c.target is null and exists (
    select from ${table} d
     where ${condition} and d.merchant_id = c.merchant_id
       and d.due_at <= cast(:wall as timestamptz) + c.offset_ms * interval '1 millisecond')`;
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
  { table, mayRun }: DueRows,
  claim: Claim & { readonly wall: Date },
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `select c.merchant_id from merchant_clocks c
      where {slot:c} and ${claimCondition('c')} and ${isDueByClock(table, `{slot:d} and ${mayRun}`)} limit :limit`,
    { ...claimParams(claim), wall: claim.wall },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

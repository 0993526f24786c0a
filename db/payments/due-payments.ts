import type { Payment, PaymentStatus } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-row.ts';

/**
 * Locks payments of one merchant in one of `statuses` that are past their time. Skips rows that another worker holds,
 * and payments with a pending operation, whose outcome comes first.
 */
export async function lockDuePayments(
  tx: Tx,
  scope: MerchantScope,
  due: { statuses: readonly PaymentStatus[]; until: Date; limit: number },
): Promise<Payment[]> {
  const rows = await tx.rows<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments
      where {scope} and due_at <= :until and status = any(:statuses) and pending_operation is null
      order by due_at, id limit :limit for update skip locked`,
    due,
  );
  return rows.map(toPayment);
}

/** When the merchant's next payment in one of `statuses` and without a pending operation falls due, or null. */
export async function nextPaymentDue(
  q: Queryable,
  scope: MerchantScope,
  statuses: readonly PaymentStatus[],
): Promise<Date | null> {
  const row = await q.one<{ due_at: Date | null }>(
    scope,
    `select min(due_at) as due_at from payments
      where {scope} and due_at is not null and status = any(:statuses) and pending_operation is null`,
    { statuses },
  );
  return row.due_at;
}

/** Slots that have payments due by `until`. Called once per process and round. */
export async function slotsWithDuePayments(db: Database, until: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    'select distinct slot from payments where due_at <= :until',
    {
      until,
    },
  );
  return rows.map((row) => row.slot);
}

/** Merchants of one slot that have payments due by `until`. */
export async function merchantsWithDuePayments(
  db: Database,
  slot: number,
  claim: Claim & { readonly until: Date },
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `select distinct merchant_id from payments where {slot} and due_at <= :until and ${claimCondition()} limit :limit`,
    { ...claimParams(claim), until: claim.until },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

/**
 * Condition on a clock `c`: it was advanced, is not being advanced now, and its merchant has payments due by it. `slot`
 * limits the payments `p` to a slot; `:wall` is wall time.
 */
function hasPaymentsDueByClock(slot: string): string {
  return `c.offset_ms > 0 and c.target is null and exists (
    select from payments p
     where ${slot} and p.merchant_id = c.merchant_id
       and p.due_at <= cast(:wall as timestamptz) + c.offset_ms * interval '1 millisecond')`;
}

/** Slots with merchants who have payments due by a clock that was advanced. Sandbox only. */
export async function slotsWithPaymentsDueByClock(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    `select distinct c.slot from merchant_clocks c where ${hasPaymentsDueByClock('p.slot = c.slot')}`,
    { wall },
  );
  return rows.map((row) => row.slot);
}

/** The merchants of one slot who have payments due by a clock that was advanced. */
export async function merchantsWithPaymentsDueByClock(
  db: Database,
  slot: number,
  claim: Claim & { readonly wall: Date },
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `select c.merchant_id from merchant_clocks c
      where {slot:c} and ${claimCondition('c')} and ${hasPaymentsDueByClock('{slot:p}')} limit :limit`,
    { ...claimParams(claim), wall: claim.wall },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

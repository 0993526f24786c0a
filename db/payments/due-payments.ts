import type { Payment, PaymentStatus } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimable, claimParams } from '../engine/claim.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-row.ts';

/** The acquirer is deciding something about payment `p`: its answer says what becomes of the payment. */
const HAS_OPEN_OPERATION = `exists (
  select from payment_operations o
   where {scope:o} and o.payment_id = p.id and o.state = 'pending' and o.kind <> 'refund')`;

/**
 * Locks payments of one merchant in one of `statuses` that are past their time. Skips rows that another worker holds,
 * and payments with an open operation.
 */
export async function lockDuePayments(
  tx: Tx,
  scope: MerchantScope,
  due: { statuses: readonly PaymentStatus[]; until: Date; limit: number },
): Promise<Payment[]> {
  const rows = await tx.rows<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments p
      where {scope:p} and due_at <= :until and status = any(:statuses) and not ${HAS_OPEN_OPERATION}
      order by due_at, id limit :limit for update skip locked`,
    due,
  );
  if (rows.length === 0) return [];
  // An operation that was committed after the statement above began is not in its snapshot. From here on none can
  // begin, because its writer locks the payment first.
  const ids = rows.map((row) => row.id);
  const open = await tx.rows<{ id: string }>(
    scope,
    `select id from payments p where {scope:p} and id = any(:ids) and ${HAS_OPEN_OPERATION}`,
    { ids },
  );
  const isOpen = new Set(open.map(({ id }) => id));
  return rows.filter(({ id }) => !isOpen.has(id)).map(toPayment);
}

/** When the merchant's next payment in one of `statuses` and without an open operation falls due, or null. */
export async function nextPaymentDue(
  q: Queryable,
  scope: MerchantScope,
  statuses: readonly PaymentStatus[],
): Promise<Date | null> {
  const row = await q.one<{ due_at: Date | null }>(
    scope,
    `select min(due_at) as due_at from payments p
      where {scope:p} and due_at is not null and status = any(:statuses) and not ${HAS_OPEN_OPERATION}`,
    { statuses },
  );
  return row.due_at;
}

/** Slots that have payments due by `until`: asked once per process and round. */
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
    `select distinct merchant_id from payments where {slot} and due_at <= :until and ${claimable()} limit :limit`,
    { ...claimParams(claim), until: claim.until },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

/**
 * Condition on a clock `c`: it was moved ahead, is not being moved now, and its merchant has payments that are due by it.
 * `slot` limits the payments `p` to a slot; `:wall` is wall time.
 */
function hasPaymentsDueAhead(slot: string): string {
  return `c.offset_ms > 0 and c.target is null and exists (
    select from payments p
     where ${slot} and p.merchant_id = c.merchant_id
       and p.due_at <= cast(:wall as timestamptz) + c.offset_ms * interval '1 millisecond')`;
}

/**
 * Slots with merchants who have payments due by a clock that was moved ahead. Sandbox only. A moved clock is never moved
 * back, so only those with something to do are found.
 */
export async function slotsAheadWithDuePayments(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    `select distinct c.slot from merchant_clocks c where ${hasPaymentsDueAhead('p.slot = c.slot')}`,
    { wall },
  );
  return rows.map((row) => row.slot);
}

/** These merchants of one slot. */
export async function merchantsAheadWithDuePayments(
  db: Database,
  slot: number,
  claim: Claim & { readonly wall: Date },
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `select c.merchant_id from merchant_clocks c
      where {slot:c} and ${claimable('c')} and ${hasPaymentsDueAhead('{slot:p}')} limit :limit`,
    { ...claimParams(claim), wall: claim.wall },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

import type { Payment, PaymentStatus } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { DueRows } from '../due-rows.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-row.ts';

/** Payments with a step that is due, such as the expiry of a charge. */
export const DUE_PAYMENTS: DueRows = { table: 'payments', mayRun: () => 'true' };

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

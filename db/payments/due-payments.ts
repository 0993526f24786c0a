import { STATUSES_WITH_STEPS } from '../../domain/payments/clock-step.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { DueRows } from '../due-rows.ts';
import type { Tx } from '../engine/database.ts';
import { textList } from '../engine/text-list.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-row.ts';

/** The outcome of a pending operation comes before the next step of its payment. */
const READY = `status in (${textList(STATUSES_WITH_STEPS)}) and pending_operation is null`;

/** Payments with a step that is due, such as the expiry of a charge. */
export const DUE_PAYMENTS: DueRows = { table: 'payments', isReady: () => READY };

/** Locks payments of one merchant whose step is due and may run. Skips rows that another worker holds. */
export async function lockDuePayments(
  tx: Tx,
  scope: MerchantScope,
  due: { readonly until: Date; readonly limit: number },
): Promise<Payment[]> {
  const rows = await tx.rows<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments
      where {scope} and due_at <= :until and ${READY}
      order by due_at, id limit :limit for update skip locked`,
    due,
  );
  return rows.map(toPayment);
}

import type { SupportedMethod } from '../../domain/payments/methods/index.ts';
import type { Payment, PaymentStatus, PendingOperation } from '../../domain/payments/payment.ts';

/** A row of table payments as `PAYMENT_COLUMNS` reads it. */
export interface PaymentRow {
  id: string;
  hash: string;
  order_id: string | null;
  order_code: string | null;
  customer_id: string;
  status: PaymentStatus;
  pending_operation: PendingOperation | null;
  method: SupportedMethod;
  amount_centavos: number;
  currency: string;
  installments: number;
  captured_centavos: number;
  refunded_centavos: number;
  refunding_centavos: number;
  reference: string;
  mcc: string;
  details: Record<string, unknown>;
  refusal_code: string | null;
  refusal_message: string | null;
  refusal_retryable: boolean | null;
  retry_attempts: number;
  billing_date: string | null;
  due_at: Date | null;
  metadata: Record<string, string>;
  history: { status: PaymentStatus; at: string }[];
  created_at: Date;
  updated_at: Date;
}

/** The columns that `toPayment` needs, in the order of the row. */
export const PAYMENT_COLUMNS = `id, hash, order_id, order_code, customer_id, status, pending_operation, method,
  amount_centavos, currency, installments, captured_centavos, refunded_centavos, refunding_centavos, reference, mcc,
  details, refusal_code, refusal_message, refusal_retryable, retry_attempts, billing_date, due_at, metadata, history,
  created_at, updated_at`;

/** A row of `PAYMENT_COLUMNS` as a payment. */
export function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    hash: row.hash,
    orderId: row.order_id,
    orderCode: row.order_code,
    customerId: row.customer_id,
    status: row.status,
    pendingOperation: row.pending_operation,
    method: row.method,
    amount_centavos: row.amount_centavos,
    currency: row.currency,
    installments: row.installments,
    captured_centavos: row.captured_centavos,
    refunded_centavos: row.refunded_centavos,
    refunding_centavos: row.refunding_centavos,
    reference: row.reference,
    mcc: row.mcc,
    details: toDetails(row.details),
    refusal:
      row.refusal_code === null
        ? null
        : { code: row.refusal_code, message: row.refusal_message!, retryable: row.refusal_retryable! },
    retryAttempts: row.retry_attempts,
    billingDate: row.billing_date,
    dueAt: row.due_at,
    metadata: row.metadata,
    history: row.history.map((step) => ({ status: step.status, at: new Date(step.at) })),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Fields of the details that end in `At` are instants: the stored texts become dates. */
function toDetails(stored: Record<string, unknown>): Payment['details'] {
  const fields = Object.entries(stored).map(([name, value]) => [
    name,
    name.endsWith('At') && typeof value === 'string' ? new Date(value) : value,
  ]);
  return Object.fromEntries(fields);
}

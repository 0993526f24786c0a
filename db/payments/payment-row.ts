import type { PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import type {
  Payment,
  PaymentShare,
  PaymentStatus,
  PendingOperation,
} from '../../domain/payments/payment.ts';

/** A row of table payments as `PAYMENT_COLUMNS` reads it. */
export interface PaymentRow {
  id: string;
  hash: string;
  order_id: string | null;
  order_code: string | null;
  payment_link_id: string | null;
  offer_id: string | null;
  subscription_id: string | null;
  cycle: number | null;
  customer_id: string;
  status: PaymentStatus;
  pending_operation: PendingOperation | null;
  method: PaymentMethod;
  amount_centavos: number;
  currency: string;
  installments: number;
  interest_centavos: number;
  captured_centavos: number;
  refunded_centavos: number;
  refunding_centavos: number;
  split: PaymentShareRow[] | null;
  fee_centavos: number | null;
  captured_on: string | null;
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

/** An element of the column `split`. */
interface PaymentShareRow {
  recipient: number | string;
  recipient_id: string;
  type: PaymentShare['type'];
  value: number;
  bears_fee: boolean;
  takes_remainder: boolean;
  is_liable: boolean;
  share_centavos: number;
  fee_centavos: number | null;
}

/** The columns that `toPayment` needs, in the order of the row. */
export const PAYMENT_COLUMNS = `id, hash, order_id, order_code, payment_link_id, offer_id, subscription_id, cycle,
  customer_id, status, pending_operation, method, amount_centavos, currency, installments, interest_centavos,
  captured_centavos, refunded_centavos, refunding_centavos, split, fee_centavos, captured_on, reference, mcc, details,
  refusal_code, refusal_message, refusal_retryable, retry_attempts, billing_date, due_at, metadata, history, created_at,
  updated_at`;

const NO_SPLIT: readonly PaymentShare[] = [];

/** A row of `PAYMENT_COLUMNS` as a payment. */
export function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    hash: row.hash,
    orderId: row.order_id,
    orderCode: row.order_code,
    paymentLinkId: row.payment_link_id,
    offerId: row.offer_id,
    subscriptionId: row.subscription_id,
    cycle: row.cycle,
    customerId: row.customer_id,
    status: row.status,
    pendingOperation: row.pending_operation,
    method: row.method,
    amount_centavos: row.amount_centavos,
    currency: row.currency,
    installments: row.installments,
    interest_centavos: row.interest_centavos,
    captured_centavos: row.captured_centavos,
    refunded_centavos: row.refunded_centavos,
    refunding_centavos: row.refunding_centavos,
    split: row.split?.map(toShare) ?? NO_SPLIT,
    fee_centavos: row.fee_centavos,
    capturedOn: row.captured_on,
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

/**
 * Fields of the details that end in `At` are instants: the stored texts become dates. The object is changed, and not
 * copied: nothing else uses the row, and lists read twenty or more.
 */
function toDetails(stored: Record<string, unknown>): Payment['details'] {
  for (const name in stored) {
    const value = stored[name];
    if (typeof value === 'string' && name.endsWith('At')) stored[name] = new Date(value);
  }
  return stored as unknown as Payment['details'];
}

/** The value of the column `split`. */
export function splitColumn(split: readonly PaymentShare[]): string | null {
  if (split.length === 0) return null;
  const rows: PaymentShareRow[] = split.map((share) => ({
    recipient: share.recipient,
    recipient_id: share.recipientId,
    type: share.type,
    value: share.value,
    bears_fee: share.bearsFee,
    takes_remainder: share.takesRemainder,
    is_liable: share.isLiable,
    share_centavos: share.share_centavos,
    fee_centavos: share.fee_centavos,
  }));
  return JSON.stringify(rows);
}

function toShare(row: PaymentShareRow): PaymentShare {
  return {
    recipient: row.recipient,
    recipientId: row.recipient_id,
    type: row.type,
    value: row.value,
    bearsFee: row.bears_fee,
    takesRemainder: row.takes_remainder,
    isLiable: row.is_liable,
    share_centavos: row.share_centavos,
    fee_centavos: row.fee_centavos,
  };
}

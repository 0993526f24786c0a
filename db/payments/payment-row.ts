import type { CardBrand } from '../../domain/cards/card-number.ts';
import type { SupportedMethod } from '../../domain/payments/methods.ts';
import type {
  Payment,
  PaymentCard,
  PaymentPix,
  PaymentStatus,
  PendingOperation,
} from '../../domain/payments/payment.ts';

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
  card_id: string | null;
  card_brand: CardBrand | null;
  card_first_6: string | null;
  card_last_4: string | null;
  statement_descriptor: string | null;
  manual_capture: boolean;
  authorization_code: string | null;
  pix_txid: string | null;
  pix_qr_code: string | null;
  pix_qr_image: string | null;
  pix_expires_at: Date | null;
  pix_end_to_end_id: string | null;
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
export const PAYMENT_COLUMNS = `id, hash, order_id, order_code, customer_id, status, pending_operation, method, amount_centavos, currency, installments,
  captured_centavos, refunded_centavos, refunding_centavos, reference, mcc, card_id, card_brand, card_first_6,
  card_last_4, statement_descriptor, manual_capture, authorization_code, pix_txid, pix_qr_code, pix_qr_image,
  pix_expires_at, pix_end_to_end_id, refusal_code, refusal_message, refusal_retryable, retry_attempts, billing_date,
  due_at, metadata, history, created_at, updated_at`;

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
    card: toCard(row),
    pix: toPix(row),
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

function toCard(row: PaymentRow): PaymentCard | null {
  if (row.card_id === null) return null;
  return {
    cardId: row.card_id,
    brand: row.card_brand!,
    first6: row.card_first_6!,
    last4: row.card_last_4!,
    statementDescriptor: row.statement_descriptor,
    manualCapture: row.manual_capture,
    authorizationCode: row.authorization_code,
  };
}

function toPix(row: PaymentRow): PaymentPix | null {
  if (row.pix_txid === null) return null;
  return {
    txid: row.pix_txid,
    qrCode: row.pix_qr_code,
    qrImage: row.pix_qr_image,
    expiresAt: row.pix_expires_at!,
    endToEndId: row.pix_end_to_end_id,
  };
}

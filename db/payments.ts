import { isCanonicalUuid, normalizeUuid } from '../domain/identifiers.ts';
import type { Payment, PaymentStatus } from '../domain/payment.ts';
import type { MerchantScope } from '../domain/scope.ts';
import type { Queryable, Tx } from './database.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-row.ts';

/** What a payment is born with. */
export type NewPayment = Omit<
  Payment,
  | 'captured_centavos'
  | 'refunded_centavos'
  | 'refunding_centavos'
  | 'refusal'
  | 'retryAttempts'
  | 'history'
  | 'updatedAt'
>;

/** Writes a new payment, whose history begins with the status that it is born with. */
export async function insertPayment(tx: Tx, scope: MerchantScope, payment: NewPayment): Promise<Payment> {
  const row = await tx.one<PaymentRow>(
    scope,
    `insert into payments (slot, merchant_id, id, hash, order_id, order_code, customer_id, status, method,
       amount_centavos, currency, installments, reference, mcc, card_id, card_brand, card_first_6, card_last_4,
       statement_descriptor, manual_capture, pix_txid, pix_expires_at, billing_date, metadata, history, created_at,
       updated_at)
     values (:slot, :merchant_id, :id, :hash, :order_id, :order_code, :customer_id, :status, :method,
       :amount_centavos, :currency, :installments, :reference, :mcc, :card_id, :card_brand, :card_first_6, :card_last_4,
       :statement_descriptor, :manual_capture, :pix_txid, :pix_expires_at, :billing_date, :metadata, :history, :at, :at)
     returning ${PAYMENT_COLUMNS}`,
    {
      id: payment.id,
      hash: payment.hash,
      order_id: payment.orderId,
      order_code: payment.orderCode,
      customer_id: payment.customerId,
      status: payment.status,
      method: payment.method,
      amount_centavos: payment.amount_centavos,
      currency: payment.currency,
      installments: payment.installments,
      reference: payment.reference,
      mcc: payment.mcc,
      card_id: payment.card?.cardId ?? null,
      card_brand: payment.card?.brand ?? null,
      card_first_6: payment.card?.first6 ?? null,
      card_last_4: payment.card?.last4 ?? null,
      statement_descriptor: payment.card?.statementDescriptor ?? null,
      manual_capture: payment.card?.manualCapture ?? false,
      pix_txid: payment.pix?.txid ?? null,
      pix_expires_at: payment.pix?.expiresAt ?? null,
      billing_date: payment.billingDate,
      metadata: JSON.stringify(payment.metadata),
      history: JSON.stringify([{ status: payment.status, at: payment.createdAt }]),
      at: payment.createdAt,
    },
  );
  return toPayment(row);
}

/** The payment, locked until the transaction ends. */
export async function lockPayment(tx: Tx, scope: MerchantScope, id: string): Promise<Payment | undefined> {
  const row = await tx.maybeOne<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments where {scope} and id = :id for update`,
    { id },
  );
  return row === undefined ? undefined : toPayment(row);
}

/** A payment by its id, as it stands: `lockPayment` is for who changes it. */
export async function findPayment(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<Payment | undefined> {
  const row = await q.maybeOne<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments where {scope} and id = :id`,
    { id },
  );
  return row === undefined ? undefined : toPayment(row);
}

/** The one payment of an order. */
export async function findPaymentOfOrder(
  q: Queryable,
  scope: MerchantScope,
  orderId: string,
): Promise<Payment | undefined> {
  const row = await q.maybeOne<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments where {scope} and order_id = :order_id`,
    { order_id: orderId },
  );
  return row === undefined ? undefined : toPayment(row);
}

/** By id, hash, order code or Pix txid, in this order. */
export async function findPaymentByIdentifier(
  q: Queryable,
  scope: MerchantScope,
  identifier: string,
): Promise<Payment | undefined> {
  if (isCanonicalUuid(identifier)) {
    const byId = await findPayment(q, scope, normalizeUuid(identifier));
    if (byId !== undefined) return byId;
  }
  const rows = await q.rows<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments
      where {scope} and (hash = :identifier or order_code = :identifier or pix_txid = :identifier)`,
    { identifier },
  );
  const found =
    rows.find((row) => row.hash === identifier) ??
    rows.find((row) => row.order_code === identifier) ??
    rows[0];
  return found === undefined ? undefined : toPayment(found);
}

/** What a change may write beside the status. A field that is left out stays. */
export interface PaymentPatch {
  readonly captured_centavos?: number;
  readonly refunded_centavos?: number;
  readonly refunding_centavos?: number;
  readonly authorization_code?: string | null;
  readonly pix_qr_code?: string;
  readonly pix_qr_image?: string;
  readonly pix_end_to_end_id?: string | null;
  readonly refusal_code?: string | null;
  readonly refusal_message?: string | null;
  readonly refusal_retryable?: boolean | null;
  readonly due_at?: Date | null;
}

/**
 * Takes a payment from the status that was read to another (or the same), with what changes beside it; undefined
 * when another writer was first. The only statement that writes a status.
 */
export async function movePaymentRow(
  tx: Tx,
  scope: MerchantScope,
  move: { id: string; from: PaymentStatus; to: PaymentStatus; patch: PaymentPatch; at: Date },
): Promise<Payment | undefined> {
  const assignments = Object.keys(move.patch).map((column) => `${column} = :${column}`);
  const isStep = move.from !== move.to;
  if (isStep) assignments.push('status = :to', 'history = history || cast(:step as jsonb)');
  const row = await tx.maybeOne<PaymentRow>(
    scope,
    `update payments set ${[...assignments, 'updated_at = :at'].join(', ')}
      where {scope} and id = :id and status = :from returning ${PAYMENT_COLUMNS}`,
    {
      ...move.patch,
      id: move.id,
      from: move.from,
      to: move.to,
      step: JSON.stringify([{ status: move.to, at: move.at }]),
      at: move.at,
    },
  );
  return row === undefined ? undefined : toPayment(row);
}

import type { CardBrand } from '../domain/card-number.ts';
import { isCanonicalUuid, normalizeUuid } from '../domain/identifiers.ts';
import type { PaymentMethod } from '../domain/merchant.ts';
import type { Payment, PaymentCard, PaymentPix, PaymentStatus } from '../domain/payment.ts';
import type { MerchantScope } from '../domain/scope.ts';
import type { Database, Queryable, Tx } from './database.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from './page.ts';

interface PaymentRow {
  id: string;
  hash: string;
  order_id: string | null;
  order_code: string | null;
  customer_id: string;
  status: PaymentStatus;
  method: PaymentMethod;
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
  metadata: Record<string, string>;
  history: { status: PaymentStatus; at: string }[];
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `id, hash, order_id, order_code, customer_id, status, method, amount_centavos, currency, installments,
  captured_centavos, refunded_centavos, refunding_centavos, reference, mcc, card_id, card_brand, card_first_6,
  card_last_4, statement_descriptor, manual_capture, authorization_code, pix_txid, pix_qr_code, pix_qr_image,
  pix_expires_at, pix_end_to_end_id, refusal_code, refusal_message, refusal_retryable, retry_attempts, billing_date,
  metadata, history, created_at, updated_at`;

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
     returning ${COLUMNS}`,
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
    `select ${COLUMNS} from payments where {scope} and id = :id for update`,
    { id },
  );
  return row === undefined ? undefined : toPayment(row);
}

export async function findPayment(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<Payment | undefined> {
  const row = await q.maybeOne<PaymentRow>(
    scope,
    `select ${COLUMNS} from payments where {scope} and id = :id`,
    { id },
  );
  return row === undefined ? undefined : toPayment(row);
}

export async function findPaymentOfOrder(
  q: Queryable,
  scope: MerchantScope,
  orderId: string,
): Promise<Payment | undefined> {
  const row = await q.maybeOne<PaymentRow>(
    scope,
    `select ${COLUMNS} from payments where {scope} and order_id = :order_id`,
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
    `select ${COLUMNS} from payments
      where {scope} and (hash = :identifier or order_code = :identifier or pix_txid = :identifier)`,
    { identifier },
  );
  const found =
    rows.find((row) => row.hash === identifier) ??
    rows.find((row) => row.order_code === identifier) ??
    rows[0];
  return found === undefined ? undefined : toPayment(found);
}

export interface PaymentFilter {
  readonly status?: PaymentStatus | undefined;
  readonly method?: PaymentMethod | undefined;
  readonly customerId?: string | undefined;
  readonly orderCode?: string | undefined;
  readonly amountMin_centavos?: number | undefined;
  readonly amountMax_centavos?: number | undefined;
}

export async function listPayments(
  q: Queryable,
  scope: MerchantScope,
  filter: PaymentFilter,
  page: PageRequest,
): Promise<Page<Payment>> {
  const params = {
    status: filter.status,
    method: filter.method,
    customer_id: filter.customerId,
    order_code: filter.orderCode,
    amount_min: filter.amountMin_centavos,
    amount_max: filter.amountMax_centavos,
  };
  const when = (value: unknown, condition: string) => (value === undefined ? undefined : condition);
  const source = {
    columns: COLUMNS,
    from: 'payments',
    where: [
      when(params.status, 'status = :status'),
      when(params.method, 'method = :method'),
      when(params.customer_id, 'customer_id = :customer_id'),
      when(params.order_code, 'order_code = :order_code'),
      when(params.amount_min, 'amount_centavos >= :amount_min'),
      when(params.amount_max, 'amount_centavos <= :amount_max'),
    ],
    params,
  };
  return mapPage(await fetchPage<PaymentRow>(q, scope, source, page), toPayment);
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
      where {scope} and id = :id and status = :from returning ${COLUMNS}`,
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

/**
 * Payments of one merchant in one of `statuses` that are waiting past their time, locked for the caller; rows that
 * another worker holds are passed over.
 */
export async function lockDuePayments(
  tx: Tx,
  scope: MerchantScope,
  due: { statuses: readonly PaymentStatus[]; until: Date; limit: number },
): Promise<Payment[]> {
  const rows = await tx.rows<PaymentRow>(
    scope,
    `select ${COLUMNS} from payments where {scope} and due_at <= :until and status = any(:statuses)
      order by due_at, id limit :limit for update skip locked`,
    due,
  );
  return rows.map(toPayment);
}

/** When the merchant's next payment in one of `statuses` falls due, or null. */
export async function nextPaymentDue(
  q: Queryable,
  scope: MerchantScope,
  statuses: readonly PaymentStatus[],
): Promise<Date | null> {
  const row = await q.one<{ due_at: Date | null }>(
    scope,
    'select min(due_at) as due_at from payments where {scope} and due_at is not null and status = any(:statuses)',
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
  until: Date,
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    'select distinct merchant_id from payments where {slot} and due_at <= :until limit 100',
    { until },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

function toPayment(row: PaymentRow): Payment {
  return {
    id: row.id,
    hash: row.hash,
    orderId: row.order_id,
    orderCode: row.order_code,
    customerId: row.customer_id,
    status: row.status,
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

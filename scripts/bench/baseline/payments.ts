import type { Pool } from 'pg';
import { decodeCursor, encodeCursor } from '../../../domain/cursor.ts';
import type { Caller } from './caller.ts';

export const PAYMENT_COLUMNS = `id, hash, order_id, order_code, subscription_id, payment_link_id, offer_id, customer_id, status, method,
  amount_centavos, interest_centavos, currency, installments, captured_centavos, refunded_centavos, refunding_centavos, reference, mcc, details, refusal_code,
  refusal_message, refusal_retryable, retry_attempts, billing_date, metadata, history, split, fee_centavos, created_at, updated_at`;

const CURSOR_AT = `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor_at`;

const FIRST_PAGE = {
  name: 'first_page',
  text: `select ${PAYMENT_COLUMNS}, ${CURSOR_AT} from payments where slot = $1 and merchant_id = $2
          order by created_at desc, id desc limit $3`,
};

const NEXT_PAGE = {
  name: 'next_page',
  text: `select ${PAYMENT_COLUMNS}, ${CURSOR_AT} from payments
          where slot = $1 and merchant_id = $2 and (created_at, id) < ($4, $5)
          order by created_at desc, id desc limit $3`,
};

export async function listPayments(
  pool: Pool,
  { slot, merchant_id }: Caller,
  { per_page = 20, cursor }: { per_page?: number; cursor?: string },
) {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  if (cursor !== undefined && after === null)
    throw Object.assign(new Error('Not a cursor.'), { statusCode: 422 });
  const values = [slot, merchant_id, per_page + 1];
  const { rows } = await pool.query(
    after === null
      ? { ...FIRST_PAGE, values }
      : { ...NEXT_PAGE, values: [...values, after.createdAt, after.id] },
  );
  const page = rows.slice(0, per_page);
  const last = page.at(-1);
  const has_more = rows.length > page.length;
  const next_cursor = has_more ? encodeCursor({ createdAt: last.cursor_at, id: last.id }) : null;
  return { data: page.map(paymentJson), pagination: { per_page, has_more, next_cursor } };
}

/** A Date's instant as the wire shows it. */
export function utcMicros(date: Date): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

/** A payment's row as the wire shows it. */
// biome-ignore lint/suspicious/noExplicitAny: a row as pg returns it
export function paymentJson(row: any) {
  return {
    id: row.id,
    hash: row.hash,
    order_id: row.order_id,
    order_code: row.order_code,
    subscription_id: row.subscription_id ?? null,
    payment_link_id: row.payment_link_id ?? null,
    offer_id: row.offer_id ?? null,
    customer_id: row.customer_id,
    status: row.status,
    amount: row.amount_centavos,
    interest_amount: row.interest_centavos ?? 0,
    currency: row.currency,
    payment_method: row.method,
    installments: row.installments,
    captured_amount: row.captured_centavos,
    refunded_amount: row.refunded_centavos,
    split: (row.split ?? []).map(shareJson),
    merchant_amount: merchantAmount(row),
    fee_amount: row.fee_centavos,
    credit_card: row.method === 'credit_card' ? cardJson(row.details) : undefined,
    pix: row.method === 'pix' ? pixJson(row.details) : undefined,
    refusal:
      row.refusal_code === null
        ? null
        : { code: row.refusal_code, message: row.refusal_message, retryable: row.refusal_retryable },
    retry_attempts: row.retry_attempts,
    billing_date: row.billing_date,
    metadata: row.metadata,
    history: row.history.map((step: { status: string; at: string }) => ({
      status: step.status,
      at: utcMicros(new Date(step.at)),
    })),
    created_at: utcMicros(row.created_at),
    updated_at: utcMicros(row.updated_at),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as pg returns it
function merchantAmount({ captured_centavos, amount_centavos, split }: any): number {
  let left_centavos = captured_centavos || amount_centavos;
  for (const share of split ?? []) left_centavos -= share.share_centavos;
  return left_centavos;
}

// biome-ignore lint/suspicious/noExplicitAny: a document as pg returns it
function shareJson(share: any) {
  return {
    recipient_id: share.recipient,
    type: share.type,
    amount: share.value,
    allow_charge_processing_fee: share.bears_fee,
    allow_charge_remainder_fee: share.takes_remainder,
    is_liable: share.is_liable,
    share_amount: share.share_centavos,
    fee_amount: share.fee_centavos,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a document as pg returns it
function cardJson(card: any) {
  return {
    id: card.cardId,
    brand: card.brand,
    first_6: card.first6,
    last_4: card.last4,
    authorization_code: card.authorizationCode,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a document as pg returns it
function pixJson(pix: any) {
  return {
    qr_code: pix.qrCode,
    qr_code_image: pix.qrImage,
    expires_at: utcMicros(new Date(pix.expiresAt)),
    txid: pix.txid,
    end_to_end_id: pix.endToEndId,
  };
}

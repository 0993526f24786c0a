import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { encodePixBrCode } from '../../../domain/br-code.ts';
import { operationReference, pixTxid, publicHash, uuidV7 } from '../../../domain/identifiers.ts';
import { utcMicros } from '../../../domain/local-time.ts';
import type { Acquirer, PixChargeApproval } from '../../../gateway/acquirer.ts';
import { qrPng } from '../../../services/qr-png.ts';
import type { Caller } from './caller.ts';
import { FIND_CUSTOMER } from './customers.ts';
import { PAYMENT_COLUMNS, paymentJson } from './payments.ts';
import { inTransaction } from './transaction.ts';

const PIX_DEFAULT_MS = 30 * 60_000;
const FIRST_CHECK_MS = 20_000;

const INSERT_ORDER = {
  name: 'insert_order',
  text: `insert into orders (slot, merchant_id, id, code, customer_id, mcc, amount_centavos, description,
           notification_url, items, metadata, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict (slot, merchant_id, code) do nothing`,
};
const INSERT_PAYMENT = {
  name: 'insert_payment',
  text: `insert into payments (slot, merchant_id, id, hash, order_id, order_code, customer_id, status, method,
           amount_centavos, currency, installments, reference, mcc, pix_txid, pix_expires_at, metadata, history,
           created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, 'processing', 'pix', $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)
         returning ${PAYMENT_COLUMNS}`,
};
const INSERT_OPERATION = {
  name: 'insert_operation',
  text: `insert into payment_operations (slot, merchant_id, id, payment_id, refund_id, kind, amount_centavos,
           reference, state, check_at, created_at)
         values ($1, $2, $3, $4, null, 'pix_charge', $5, $6, 'pending', $7, $8)
         on conflict do nothing
         returning slot, merchant_id, id, payment_id, refund_id, kind, amount_centavos, reference, state,
           refusal_code, attempts, created_at`,
};
const INSERT_EVENT = {
  name: 'insert_event',
  text: `insert into events (slot, merchant_id, id, event, object_id, payment_id, data, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
};
const LOCK_PAYMENT = {
  name: 'lock_payment',
  text: `select ${PAYMENT_COLUMNS} from payments where slot = $1 and merchant_id = $2 and id = $3 for update`,
};
const SETTLE_OPERATION = {
  name: 'settle_operation',
  text: `update payment_operations set state = 'approved', refusal_code = null, settled_at = $4, check_at = null
          where slot = $1 and merchant_id = $2 and id = $3 and state = 'pending'`,
};
const SHOW_QR = {
  name: 'show_qr',
  text: `update payments set pix_qr_code = $4, pix_qr_image = $5, due_at = $6, status = 'waiting_payment',
           history = history || cast($7 as jsonb), updated_at = $8
          where slot = $1 and merchant_id = $2 and id = $3 and status = 'processing'
         returning ${PAYMENT_COLUMNS}`,
};

interface OrderBody {
  readonly code: string;
  readonly mcc: string;
  readonly customer: { readonly id: string };
  readonly payment: { readonly amount: number; readonly currency?: string };
  readonly items?: readonly { quantity: number; amount: number }[];
  readonly metadata?: object;
}

/** An order by Pix of a customer who is known: written, charged at the acquirer, written. */
export async function placeOrder(pool: Pool, acquirer: Acquirer, caller: Caller, body: OrderBody) {
  check(caller, body);
  const { slot, merchant_id } = caller;
  const at = new Date();
  const orderId = uuidV7(at.getTime(), randomBytes);
  const begun = await inTransaction(pool, (client) => begin(client, caller, body, orderId, at));
  const outcome = await acquirer.createPixCharge({
    reference: begun.row.reference,
    account: merchant_id,
    requestedAt: at,
    amount_centavos: body.payment.amount,
    customer: begun.customer,
    txid: begun.row.pix_txid,
    expiresAt: begun.row.pix_expires_at,
  });
  if (outcome.kind !== 'approved') throw new Error('The acquirer did not register the charge.');
  const payment = await inTransaction(pool, async (client) => {
    const id = begun.row.id;
    await client.query({ ...LOCK_PAYMENT, values: [slot, merchant_id, id] });
    await client.query({ ...SETTLE_OPERATION, values: [slot, merchant_id, begun.operationId, new Date()] });
    const { code, image } = drawQr(body, outcome);
    const step = JSON.stringify([{ status: 'waiting_payment', at }]);
    const values = [slot, merchant_id, id, code, image, begun.row.pix_expires_at, step, new Date()];
    const { rows } = await client.query({ ...SHOW_QR, values });
    const shown = paymentJson(rows[0]);
    await recordEvent(client, caller, 'payment.updated', shown, new Date());
    return shown;
  });
  return {
    id: orderId,
    code: body.code,
    status: 'pending',
    amount: body.payment.amount,
    currency: payment.currency,
    mcc: body.mcc,
    description: null,
    customer_id: body.customer.id,
    items: body.items ?? [],
    metadata: body.metadata ?? {},
    notification_url: null,
    payment,
    created_at: utcMicros(at),
    updated_at: payment.updated_at,
  };
}

function check(caller: Caller, { mcc, payment, items = [] }: OrderBody): void {
  const sum = items.reduce((total, item) => total + item.quantity * item.amount, 0);
  if (
    !caller.mccs.includes(mcc) ||
    !caller.payment_methods.includes('pix') ||
    !caller.currencies.includes(payment.currency ?? 'BRL') ||
    (items.length > 0 && sum !== payment.amount)
  ) {
    throw Object.assign(new Error('The given data was invalid.'), { statusCode: 422 });
  }
}

async function begin(client: PoolClient, caller: Caller, body: OrderBody, orderId: string, at: Date) {
  const { slot, merchant_id } = caller;
  const found = await client.query({ ...FIND_CUSTOMER, values: [slot, merchant_id, body.customer.id] });
  const customer = found.rows[0];
  if (customer === undefined) throw Object.assign(new Error('No such customer.'), { statusCode: 422 });
  const order = [
    slot,
    merchant_id,
    orderId,
    body.code,
    customer.id,
    body.mcc,
    body.payment.amount,
    null,
    null,
  ];
  await client.query({
    ...INSERT_ORDER,
    values: [...order, JSON.stringify(body.items ?? []), JSON.stringify(body.metadata ?? {}), at],
  });
  const { rows } = await client.query({
    ...INSERT_PAYMENT,
    values: [
      slot,
      merchant_id,
      uuidV7(at.getTime(), randomBytes),
      publicHash(slot, randomBytes),
      orderId,
      body.code,
      customer.id,
      body.payment.amount,
      body.payment.currency ?? 'BRL',
      1,
      operationReference(slot, randomBytes),
      body.mcc,
      pixTxid(slot, randomBytes),
      new Date(at.getTime() + PIX_DEFAULT_MS),
      JSON.stringify(body.metadata ?? {}),
      JSON.stringify([{ status: 'processing', at }]),
      at,
    ],
  });
  const row = rows[0];
  const operationId = uuidV7(at.getTime(), randomBytes);
  const checkAt = new Date(at.getTime() + FIRST_CHECK_MS);
  await client.query({
    ...INSERT_OPERATION,
    values: [slot, merchant_id, operationId, row.id, row.amount_centavos, row.reference, checkAt, at],
  });
  await recordEvent(client, caller, 'payment.created', paymentJson(row), at);
  const document = customer.documents[0]?.value ?? null;
  return { row, operationId, customer: { customerId: customer.id, name: customer.name, document } };
}

async function recordEvent(
  client: PoolClient,
  { slot, merchant_id }: Caller,
  event: string,
  payment: ReturnType<typeof paymentJson>,
  at: Date,
): Promise<void> {
  const id = uuidV7(at.getTime(), randomBytes);
  const values = [slot, merchant_id, id, event, payment.id, payment.id, JSON.stringify(payment), at];
  await client.query({ ...INSERT_EVENT, values });
}

function drawQr({ mcc, payment }: OrderBody, approval: PixChargeApproval) {
  const code = encodePixBrCode({
    location: approval.location,
    merchantName: approval.receiverName,
    merchantCity: approval.receiverCity,
    amount_centavos: payment.amount,
    txid: null,
    mcc,
  });
  return { code, image: `data:image/png;base64,${qrPng(code).toString('base64')}` };
}

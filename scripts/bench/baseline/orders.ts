import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { operationReference, pixTxid, publicHash, uuidV7 } from '../../../domain/identifiers.ts';
import { encodePixBrCode } from '../../../domain/payments/br-code.ts';
import type { Acquirer, PixChargeApproval } from '../../../gateway/acquirer.ts';
import { qrPng } from '../../../services/payments/qr-png.ts';
import type { Caller } from './caller.ts';
import { FIND_CUSTOMER } from './customers.ts';
import {
  INSERT_EVENT,
  INSERT_OPERATION,
  INSERT_ORDER,
  INSERT_PAYMENT,
  LOCK_PAYMENT,
  SETTLE_OPERATION,
  SHOW_QR,
} from './order-statements.ts';
import { paymentJson, utcMicros } from './payments.ts';
import { inTransaction } from './transaction.ts';

const PIX_DEFAULT_MS = 30 * 60_000;
const FIRST_CHECK_MS = 20_000;

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

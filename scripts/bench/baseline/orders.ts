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
import type { SplitBody } from './split.ts';
import { inTransaction } from './transaction.ts';

const PIX_DEFAULT_MS = 30 * 60_000;
const FIRST_CHECK_MS = 20_000;

export interface OrderBody {
  readonly code: string;
  readonly mcc: string;
  readonly customer: { readonly id: string };
  readonly payment: {
    readonly amount: number;
    readonly payment_method: string;
    readonly currency?: string;
    readonly credit_card?: { readonly id: string };
    readonly split?: readonly SplitBody[];
  };
  readonly items?: readonly { quantity: number; amount: number }[];
  readonly metadata?: object;
}

/** Places an order by Pix of a stored customer: writes it, requests the charge from the acquirer, writes the result. */
export async function placeOrder(pool: Pool, acquirer: Acquirer, caller: Caller, body: OrderBody) {
  check(caller, body);
  const { slot, merchant_id } = caller;
  const at = new Date();
  const begun = await inTransaction(pool, (client) => begin(client, caller, body, at));
  const outcome = await acquirer.perform({
    kind: 'pix_charge',
    method: 'pix',
    reference: begun.row.reference,
    account: merchant_id,
    requestedAt: at,
    amount_centavos: body.payment.amount,
    customer: begun.customer,
    txid: begun.row.details.txid,
    expiresAt: new Date(begun.row.details.expiresAt),
  });
  if (outcome.kind !== 'approved') throw new Error('The acquirer did not register the charge.');
  const payment = await inTransaction(pool, async (client) => {
    const id = begun.row.id;
    await client.query({ ...LOCK_PAYMENT, values: [slot, merchant_id, id] });
    await client.query({ ...SETTLE_OPERATION, values: [slot, merchant_id, begun.operationId, new Date()] });
    const { code, image } = drawQr(body, outcome as PixChargeApproval);
    const step = JSON.stringify([{ status: 'waiting_payment', at }]);
    const { details } = begun.row;
    const shownDetails = JSON.stringify({ ...details, qrCode: code, qrImage: image });
    const values = [slot, merchant_id, id, shownDetails, details.expiresAt, step, new Date()];
    const { rows } = await client.query({ ...SHOW_QR, values });
    const shown = paymentJson(rows[0]);
    await recordEvent(client, caller, 'payment.updated', shown, new Date());
    return shown;
  });
  return orderAnswer(body, begun.orderId, payment, utcMicros(at));
}

/** The order as the wire shows it. */
export function orderAnswer(
  body: OrderBody,
  id: string,
  payment: ReturnType<typeof paymentJson>,
  created_at: string,
) {
  return {
    id,
    code: body.code,
    status: payment.status === 'paid' ? 'paid' : 'pending',
    amount: body.payment.amount,
    currency: payment.currency,
    mcc: body.mcc,
    description: null,
    customer_id: body.customer.id,
    items: body.items ?? [],
    metadata: body.metadata ?? {},
    notification_url: null,
    buyer: null,
    payment,
    created_at,
    updated_at: payment.updated_at,
  };
}

export function refused(message: string): Error {
  return Object.assign(new Error(message), { statusCode: 422 });
}

export function check(caller: Caller, { mcc, payment, items = [] }: OrderBody): void {
  const sum = items.reduce((total, item) => total + item.quantity * item.amount, 0);
  if (
    !caller.mccs.includes(mcc) ||
    !caller.payment_methods.includes(payment.payment_method) ||
    !caller.currencies.includes(payment.currency ?? 'BRL') ||
    (items.length > 0 && sum !== payment.amount)
  ) {
    throw refused('The given data was invalid.');
  }
}

/** Reads the customer, and inserts the order. `also` runs between the two. */
export async function beginRows(
  client: PoolClient,
  { slot, merchant_id }: Caller,
  body: OrderBody,
  at: Date,
  also: (customerId: string) => Promise<void> = async () => {},
) {
  const found = await client.query({ ...FIND_CUSTOMER, values: [slot, merchant_id, body.customer.id] });
  const customer = found.rows[0];
  if (customer === undefined) throw refused('No such customer.');
  await also(customer.id);
  const orderId = uuidV7(at.getTime(), randomBytes);
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
  const document = customer.documents[0]?.value ?? null;
  return {
    orderId,
    customer: { customerId: customer.id as string, name: customer.name as string, document },
  };
}

/** Inserts the pending operation, and the event that the payment was created. Returns the id of the operation. */
export async function insertIntent(
  client: PoolClient,
  caller: Caller,
  kind: 'authorize' | 'pix_charge',
  // biome-ignore lint/suspicious/noExplicitAny: a row as pg returns it
  row: any,
  at: Date,
): Promise<string> {
  const { slot, merchant_id } = caller;
  const id = uuidV7(at.getTime(), randomBytes);
  const checkAt = new Date(at.getTime() + FIRST_CHECK_MS);
  await client.query({
    ...INSERT_OPERATION,
    values: [slot, merchant_id, id, row.id, row.amount_centavos, row.reference, checkAt, at, kind],
  });
  await recordEvent(client, caller, 'payment.created', paymentJson(row), at);
  return id;
}

async function begin(client: PoolClient, caller: Caller, body: OrderBody, at: Date) {
  const { slot, merchant_id } = caller;
  const { customer, orderId } = await beginRows(client, caller, body, at);
  const { rows } = await client.query({
    ...INSERT_PAYMENT,
    values: [
      slot,
      merchant_id,
      uuidV7(at.getTime(), randomBytes),
      publicHash(slot, randomBytes),
      orderId,
      body.code,
      customer.customerId,
      body.payment.amount,
      body.payment.currency ?? 'BRL',
      1,
      operationReference(slot, randomBytes),
      body.mcc,
      JSON.stringify({
        txid: pixTxid(slot, randomBytes),
        qrCode: null,
        qrImage: null,
        expiresAt: new Date(at.getTime() + PIX_DEFAULT_MS),
        endToEndId: null,
      }),
      JSON.stringify(body.metadata ?? {}),
      JSON.stringify([{ status: 'processing', at }]),
      at,
    ],
  });
  const operationId = await insertIntent(client, caller, 'pix_charge', rows[0], at);
  return { row: rows[0], operationId, orderId, customer };
}

export async function recordEvent(
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

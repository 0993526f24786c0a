/** Calls for subscriptions that are paid by Pix recurring. */
import { randomUUID } from 'node:crypto';
import type { Json, TestAnswer } from '../service.ts';
import { created, type Shop } from '../shop.ts';

/** What a test can choose about the payment of a new subscription. */
export interface WantedPix {
  readonly amount?: number | undefined;
  /** The terms of the mandate. */
  readonly terms?: object;
  readonly customerId?: string;
}

/** The body of a Pix recurring subscription of R$ 49.90 a month for a new customer. */
export async function pixBody(shop: Shop, fields: object = {}, wanted: WantedPix = {}) {
  const { amount = 4_990, terms = {}, customerId = await shop.customer() } = wanted;
  return {
    code: randomUUID(),
    mcc: '5734',
    interval: 'monthly',
    customer: { id: customerId },
    payment: { amount, payment_method: 'pix_recurring', pix_recurring: terms },
    ...fields,
  };
}

/** The record of a new subscription whose payer has not authorized it yet. */
export async function requested(shop: Shop, fields: object = {}, wanted: WantedPix = {}): Promise<Json> {
  return created(shop.post('/subscriptions', await pixBody(shop, fields, wanted)));
}

/** The same after its payer has authorized it. */
export async function authorized(shop: Shop, fields: object = {}, wanted: WantedPix = {}): Promise<Json> {
  return authorize(shop, (await requested(shop, fields, wanted)).id);
}

/** The payer authorizes the mandate, and pays the first charge if there is one. */
export async function authorize(shop: Shop, id: string): Promise<Json> {
  return done(shop, `/sandbox/subscriptions/${id}/authorize`);
}

/** The payer ends the mandate at the bank. */
export async function endMandate(shop: Shop, id: string, reason?: string): Promise<Json> {
  return done(shop, `/sandbox/subscriptions/${id}/cancel-mandate`, reason === undefined ? {} : { reason });
}

/** Scripts what the payer's bank answers to the next charges of a customer. */
export async function scriptCharges(shop: Shop, customerId: string, ...outcomes: string[]): Promise<void> {
  const all = outcomes.map((outcome) => ({ operation: 'authorize', outcome }));
  await created(shop.post('/sandbox/scripts', { customer_id: customerId, outcomes: all }));
}

async function done(shop: Shop, path: string, body?: object): Promise<Json> {
  const answer = await shop.post(path, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

/** Changes a subscription to Pix recurring. The payer has to authorize the mandate. */
export function putPixRecurring(
  shop: Shop,
  id: string,
  terms: object = {},
  fields: object = {},
): Promise<TestAnswer> {
  const body = { payment_method: 'pix_recurring', pix_recurring: terms, ...fields };
  return shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
}

/** The record of the subscription after that. */
export async function changedToPix(
  shop: Shop,
  id: string,
  terms: object = {},
  fields: object = {},
): Promise<Json> {
  const { status, body, text } = await putPixRecurring(shop, id, terms, fields);
  if (status !== 200) throw new Error(text);
  return body;
}

/** The states of the shop's mandates, here and at the acquirer, oldest first. */
export async function mandateStates({ service, account }: Shop): Promise<string[]> {
  const rows = await service.rows<{ ours: string; theirs: string }>(
    `select m.state as ours, t.mandate ->> 'state' as theirs from mandates m
       join simulator.payments t on t.account = :account and t.reference = m.reference
      where m.merchant_id = :account order by m.created_at, m.id`,
    { account },
  );
  return rows.map(({ ours, theirs }) => (ours === theirs ? ours : `${ours}, at the acquirer ${theirs}`));
}

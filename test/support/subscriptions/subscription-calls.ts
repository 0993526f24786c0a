import { randomUUID } from 'node:crypto';
import { VISA } from '../cards/cards.ts';
import { recurringOffer } from '../pages/offer-bodies.ts';
import type { Json, TestAnswer } from '../service.ts';
import { created, type Shop } from '../shop.ts';
import { domainOf, walletToken } from '../wallet/wallet-shop.ts';

/** Approved by the sandbox. */
export const GOOD = VISA.number;
/** Refused by the sandbox: may be retried, and must not be. */
export const NO_FUNDS = '4000000000009995';
export const STOLEN = '4000000000009979';

/** A new recurring offer's id. */
export async function newOffer(shop: Shop, fields: object = {}): Promise<string> {
  const product = await created(shop.post('/products', { name: 'Clube' }));
  const body = recurringOffer({ trial_days: undefined, ...fields });
  return (await created(shop.post(`/products/${product.id}/offers`, body))).id;
}

/** The body of a subscription of R$ 49.90 a month for a new customer with a new card. */
export async function subscriptionBody(shop: Shop, fields: object = {}, number = GOOD) {
  const customerId = await shop.customer();
  return {
    code: randomUUID(),
    mcc: '5734',
    interval: 'monthly',
    customer: { id: customerId },
    payment: {
      amount: 4_990,
      payment_method: 'credit_card',
      credit_card: { id: await shop.card(customerId, number) },
    },
    ...fields,
  };
}

/** The body of a subscription of R$ 49.90 a month by a wallet with a new token, of the domain `domainOf(shop)`. */
export async function walletSubscriptionBody(shop: Shop, fields: object = {}, number = GOOD) {
  return {
    code: randomUUID(),
    mcc: '5734',
    interval: 'monthly',
    customer: { id: await shop.customer() },
    payment: {
      amount: 4_990,
      payment_method: 'browser_wallet',
      browser_wallet: { browser_wallet_token: await walletToken(shop, { number, domain: domainOf(shop) }) },
    },
    ...fields,
  };
}

export function subscribe(shop: Shop, body: object, idempotencyKey?: string): Promise<TestAnswer> {
  return shop.post('/charges/subscriptions', body, idempotencyKey);
}

/** The record of a new subscription. */
export async function subscribed(shop: Shop, fields: object = {}, number = GOOD): Promise<Json> {
  return created(subscribe(shop, await subscriptionBody(shop, fields, number)));
}

/** The record of a new subscription by a wallet. */
export async function subscribedByWallet(shop: Shop, fields: object = {}, number = GOOD): Promise<Json> {
  return created(subscribe(shop, await walletSubscriptionBody(shop, fields, number)));
}

/** The invoices of a subscription, oldest first. */
export async function invoices(shop: Shop, id: string): Promise<Json[]> {
  return (await shop.get(`/subscriptions/${id}/invoices?per_page=100`)).data.reverse();
}

/** The events of a subscription and of its payments, oldest first, as `event status`. */
export async function story(shop: Shop): Promise<string[]> {
  const { data } = await shop.get('/events?per_page=100');
  return data.reverse().map(({ event, data: object }: Json) => `${event} ${object.status}`);
}

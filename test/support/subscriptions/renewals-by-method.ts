/** Subscriptions by each payment method, and what their renewals need. */
import type { BillingMethod } from '../../../domain/subscriptions/methods/names.ts';
import type { Json } from '../service.ts';
import { created, type Shop } from '../shop.ts';
import { domainOf, walletToken } from '../wallet/wallet-shop.ts';
import { issuedBody } from './issued-charges.ts';
import { authorize } from './pix-recurring-calls.ts';
import { subscribe } from './subscription-calls.ts';

/** How many days before its billing date a cycle is sent to the acquirer. */
export const SENT_DAYS_BEFORE = {
  credit_card: 0,
  browser_wallet: 0,
  bank_slip: 5,
  pix: 5,
  pix_recurring: 2,
} as const satisfies Record<BillingMethod, number>;

/** The fields of a request that choose a method. A wallet needs the verified domain `domainOf(shop)`. */
export async function meansBy(
  shop: Shop,
  customerId: string,
  payment_method: BillingMethod,
  number?: string,
): Promise<object> {
  switch (payment_method) {
    case 'credit_card':
      return { payment_method, credit_card: { id: await shop.card(customerId, number) } };
    case 'browser_wallet': {
      const browser_wallet_token = await walletToken(shop, { domain: domainOf(shop) });
      return { payment_method, browser_wallet: { browser_wallet_token } };
    }
    case 'pix_recurring':
      return { payment_method, pix_recurring: {} };
    default:
      return { payment_method };
  }
}

/** A monthly subscription of R$ 49.90 whose first cycle is paid. */
export async function paidUpBy(shop: Shop, customerId: string, method: BillingMethod): Promise<Json> {
  const body = issuedBody(await meansBy(shop, customerId, method), { customer: { id: customerId } });
  if (method === 'pix_recurring') {
    return authorize(shop, (await created(shop.post('/subscriptions', body))).id);
  }
  const { id, payment } = await created(subscribe(shop, body));
  if (payment.status === 'waiting_payment') await shop.simulate(payment.id, 'paid');
  return shop.get(`/subscriptions/${id}`);
}

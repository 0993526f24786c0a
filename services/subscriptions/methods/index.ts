import { type ChargingMethod, isChargingMethod } from '../../../domain/subscriptions/methods/charging.ts';
import type { BillingMethod } from '../../../domain/subscriptions/methods/names.ts';
import { bankSlip } from './bank-slip.ts';
import { browserWallet } from './browser-wallet.ts';
import { card } from './card.ts';
import type { ChargeMethod } from './method.ts';
import { pix } from './pix.ts';
import { pixRecurring } from './pix-recurring.ts';

const METHODS: Readonly<Record<ChargingMethod, ChargeMethod>> = {
  credit_card: card,
  browser_wallet: browserWallet,
  bank_slip: bankSlip,
  pix,
  pix_recurring: pixRecurring,
};

/** How a subscription uses a method. Throws for a method that no subscription can use today. */
export function chargeMethod(method: BillingMethod): ChargeMethod {
  if (!isChargingMethod(method)) throw new Error(`No charge by ${method} is possible.`);
  return METHODS[method];
}

import type { BillingMethod } from '../../../domain/subscriptions/methods/names.ts';
import { bankSlip } from './bank-slip.ts';
import { browserWallet } from './browser-wallet.ts';
import { card } from './card.ts';
import type { ChargeMethod } from './method.ts';
import { pix } from './pix.ts';
import { pixRecurring } from './pix-recurring.ts';

const METHODS: Readonly<Record<BillingMethod, ChargeMethod>> = {
  credit_card: card,
  browser_wallet: browserWallet,
  bank_slip: bankSlip,
  pix,
  pix_recurring: pixRecurring,
};

/** How a subscription uses a method. */
export function chargeMethod(method: BillingMethod): ChargeMethod {
  return METHODS[method];
}

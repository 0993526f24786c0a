import { card } from './card.ts';
import { issuedCharge } from './issued-charge.ts';
import type { BillingMethodRules } from './method.ts';
import type { BillingMethod } from './names.ts';
import { pixRecurring } from './pix-recurring.ts';

const RULES: Readonly<Record<BillingMethod, BillingMethodRules>> = {
  credit_card: card,
  browser_wallet: card,
  bank_slip: issuedCharge,
  pix: issuedCharge,
  pix_recurring: pixRecurring,
};

/** How the cycles of a subscription are charged by a method. */
export function billingRules(method: BillingMethod): BillingMethodRules {
  return RULES[method];
}

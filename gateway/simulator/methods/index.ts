import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import { bankSlip } from './bank-slip.ts';
import { browserWallet } from './browser-wallet.ts';
import { creditCard } from './credit-card.ts';
import type { Creation, SimulatedMethod } from './method.ts';
import { pix } from './pix.ts';
import { pixRecurring } from './pix-recurring.ts';

/** Every payment method of the simulated acquirer. */
export const SIMULATED_METHODS: Readonly<Record<PaymentMethod, SimulatedMethod>> = {
  credit_card: creditCard,
  debit_card: creditCard,
  pix,
  bank_slip: bankSlip,
  browser_wallet: browserWallet,
  pix_recurring: pixRecurring,
};

/** How the operation of this kind creates a payment of the method. */
export function creationOf(method: PaymentMethod, operation: string): Creation {
  const { creations } = SIMULATED_METHODS[method];
  const creation = creations.find((one) => one.operation === operation);
  if (creation === undefined) throw new Error(`No ${method} is created by ${operation}.`);
  return creation;
}

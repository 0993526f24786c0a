import { PAYMENT_METHODS, type PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import { methodRules } from '../../../domain/payments/methods/index.ts';
import type { MethodKind } from '../../../domain/payments/methods/method.ts';
import { bankSlip } from './bank-slip.ts';
import { browserWallet } from './browser-wallet.ts';
import { card } from './card.ts';
import type { Creation, SimulatedMethod } from './method.ts';
import { pix } from './pix.ts';
import { pixRecurring } from './pix-recurring.ts';

const SIMULATED_KINDS: Readonly<Record<MethodKind, SimulatedMethod>> = {
  card,
  pix,
  bank_slip: bankSlip,
  wallet: browserWallet,
  mandate: pixRecurring,
};

/** Every payment method of the simulated acquirer. */
export const SIMULATED_METHODS = Object.fromEntries(
  PAYMENT_METHODS.map((method) => [method, SIMULATED_KINDS[methodRules(method).kind]]),
) as Readonly<Record<PaymentMethod, SimulatedMethod>>;

/** How the operation of this kind creates a payment of the method. */
export function creationOf(method: PaymentMethod, operation: string): Creation {
  const { creations } = SIMULATED_METHODS[method];
  const creation = creations.find((one) => one.operation === operation);
  if (creation === undefined) throw new Error(`No ${method} is created by ${operation}.`);
  return creation;
}

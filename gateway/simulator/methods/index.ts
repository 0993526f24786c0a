import type { SupportedMethod } from '../../../domain/payments/methods/index.ts';
import { bankSlip } from './bank-slip.ts';
import { browserWallet } from './browser-wallet.ts';
import { creditCard } from './credit-card.ts';
import type { SimulatedMethod } from './method.ts';
import { pix } from './pix.ts';

/** Every payment method of the simulated acquirer. */
export const SIMULATED_METHODS: Readonly<Record<SupportedMethod, SimulatedMethod>> = {
  credit_card: creditCard,
  debit_card: creditCard,
  pix,
  bank_slip: bankSlip,
  browser_wallet: browserWallet,
};

import type { SupportedMethod } from '../../../domain/payments/methods/index.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';
import type { Deps } from '../../../services/deps.ts';
import { bankSlipBlock } from './bank-slip.ts';
import { browserWalletBlock } from './browser-wallet.ts';
import { creditCardBlock } from './credit-card.ts';
import { pixBlock } from './pix.ts';
import { pixRecurringBlock } from './pix-recurring.ts';

type PaymentAnswer = components['schemas']['Payment'];
type Addresses = Pick<Deps, 'checkoutBaseUrl'>;

/** The object in an answer with the data of the payment's method. Its field has the name of the method. */
const BLOCKS: {
  readonly [M in SupportedMethod]: (payment: Payment<M>, deps: Addresses) => NonNullable<PaymentAnswer[M]>;
} = {
  credit_card: creditCardBlock,
  debit_card: creditCardBlock,
  pix: pixBlock,
  bank_slip: bankSlipBlock,
  browser_wallet: browserWalletBlock,
  pix_recurring: pixRecurringBlock,
};

/** The object of the payment's method, under its name. */
export function methodBlock<M extends SupportedMethod>(
  deps: Addresses,
  payment: Payment<M>,
): Pick<PaymentAnswer, SupportedMethod> {
  const { method } = payment;
  return { [method]: BLOCKS[method](payment, deps) };
}

import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import type { CheckoutMethod } from '../../../domain/payments/methods/index.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';
import { bankSlip } from './bank-slip.ts';
import { browserWallet } from './browser-wallet.ts';
import { card } from './card.ts';
import type { Addresses, CheckoutMethodAnswer, MethodAnswer } from './method.ts';
import { pix } from './pix.ts';
import { pixRecurring } from './pix-recurring.ts';

type Schemas = components['schemas'];

type Answers = { readonly [M in PaymentMethod]: MethodAnswer<M> };
type CheckoutAnswers = { readonly [M in CheckoutMethod]: CheckoutMethodAnswer<M> };

const ANSWERS: Answers & CheckoutAnswers = {
  credit_card: card,
  debit_card: card,
  pix,
  bank_slip: bankSlip,
  browser_wallet: browserWallet,
  pix_recurring: pixRecurring,
};

/** The object of the payment's method for the merchant, under its name. */
export function methodBlock<M extends PaymentMethod>(
  deps: Addresses,
  payment: Payment<M>,
): Pick<Schemas['Payment'], PaymentMethod> {
  const { method } = payment;
  return { [method]: (ANSWERS as Answers)[method].block(payment, deps) };
}

/** The object of the payment's method for its buyer, under its name. */
export function buyerBlock<M extends CheckoutMethod>(
  deps: Addresses,
  payment: Payment<M>,
  at: Date,
): Pick<Schemas['CheckoutPayment'], CheckoutMethod> {
  const { method } = payment;
  return { [method]: (ANSWERS as CheckoutAnswers)[method].buyerBlock(payment, deps, at) };
}

import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import type { CheckoutMethod, KindOf, MethodOf } from '../../../domain/payments/methods/index.ts';
import type { MethodKind } from '../../../domain/payments/methods/method.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';
import { kindOf } from '../../../services/payments/methods/index.ts';
import { bankSlip } from './bank-slip.ts';
import { browserWallet } from './browser-wallet.ts';
import { card } from './card.ts';
import type { Addresses, CheckoutMethodAnswer, MethodAnswer } from './method.ts';
import { pix } from './pix.ts';
import { pixRecurring } from './pix-recurring.ts';

type Schemas = components['schemas'];

type Answers = { readonly [K in MethodKind]: MethodAnswer<MethodOf<K>> };
type CheckoutAnswers = {
  readonly [K in KindOf<CheckoutMethod>]: CheckoutMethodAnswer<CheckoutMethod & MethodOf<K>>;
};

/** By the kind of the method. */
const ANSWERS: Answers & CheckoutAnswers = {
  card,
  pix,
  bank_slip: bankSlip,
  wallet: browserWallet,
  mandate: pixRecurring,
};

/** The object of the payment's method for the merchant, under its name. */
export function methodBlock<M extends PaymentMethod>(
  deps: Addresses,
  payment: Payment<M>,
): Pick<Schemas['Payment'], PaymentMethod> {
  const { method } = payment;
  const answer = ANSWERS[kindOf(method)] as unknown as MethodAnswer<M>;
  return { [method]: answer.block(payment, deps) };
}

/** The object of the payment's method for its buyer, under its name. */
export function buyerBlock<M extends CheckoutMethod>(
  deps: Addresses,
  payment: Payment<M>,
  at: Date,
): Pick<Schemas['CheckoutPayment'], CheckoutMethod> {
  const { method } = payment;
  const answer = ANSWERS[kindOf(method)] as unknown as CheckoutMethodAnswer<M>;
  return { [method]: answer.buyerBlock(payment, deps, at) };
}

import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import type { Violations } from '../../refusal.ts';
import { bankSlip } from './bank-slip.ts';
import { browserWallet } from './browser-wallet.ts';
import { cardMethod } from './card.ts';
import type { InputField, PaymentMethodModule } from './method.ts';
import { pix } from './pix.ts';
import { pixRecurring } from './pix-recurring.ts';

const METHODS = {
  credit_card: cardMethod<'credit_card'>('creditCard'),
  debit_card: cardMethod<'debit_card'>('debitCard'),
  pix,
  bank_slip: bankSlip,
  browser_wallet: browserWallet,
  pix_recurring: pixRecurring,
} as const satisfies {
  readonly [M in PaymentMethod]: PaymentMethodModule<M, never>;
};

type Modules = typeof METHODS;
type InputOf<Module> = Module extends { check(violations: Violations, input: infer Input, at: Date): void }
  ? Input
  : never;

/** The method by which an order is paid, with its input. */
export type PaymentInput = { readonly method: PaymentMethod } & {
  readonly [M in PaymentMethod as InputField<M>]?: InputOf<Modules[M]>;
};

/** The module of a payment method. */
export function methodModule<M extends PaymentMethod>(method: M): PaymentMethodModule<M, object> {
  return METHODS[method] as unknown as PaymentMethodModule<M, object>;
}

/** The input of the method. The contract lets an order leave it out if no field of it is required. */
export function methodInput(payment: PaymentInput): object {
  return payment[METHODS[payment.method].inputField] ?? {};
}

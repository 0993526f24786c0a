import { PAYMENT_METHODS, type PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import { type KindOf, type MethodOf, methodRules } from '../../../domain/payments/methods/index.ts';
import type { MethodKind } from '../../../domain/payments/methods/method.ts';
import type { Violations } from '../../refusal.ts';
import { bankSlip } from './bank-slip.ts';
import { browserWallet } from './browser-wallet.ts';
import { card } from './card.ts';
import { type InputField, inputField, type PaymentMethodModule } from './method.ts';
import { pix } from './pix.ts';
import { pixRecurring } from './pix-recurring.ts';

/** Makes the module of a method, by its kind. */
const MODULES = {
  card,
  pix: () => pix,
  bank_slip: () => bankSlip,
  wallet: () => browserWallet,
  mandate: () => pixRecurring,
} as const satisfies {
  readonly [K in MethodKind]: (method: MethodOf<K>) => PaymentMethodModule<MethodOf<K>, never>;
};

const METHODS = Object.fromEntries(
  PAYMENT_METHODS.map((method) => [method, MODULES[kindOf(method)](method as never)]),
);

type Modules = { readonly [K in MethodKind]: ReturnType<(typeof MODULES)[K]> };
type InputOf<Module> = Module extends { check(violations: Violations, input: infer Input, at: Date): void }
  ? Input
  : never;

/** The method by which an order is paid, with its input. */
export type PaymentInput = { readonly method: PaymentMethod } & {
  readonly [M in PaymentMethod as InputField<M>]?: InputOf<Modules[KindOf<M>]>;
};

export function kindOf(method: PaymentMethod): MethodKind {
  return methodRules(method).kind;
}

/** The module of a payment method. */
export function methodModule<M extends PaymentMethod>(method: M): PaymentMethodModule<M, object> {
  return METHODS[method] as unknown as PaymentMethodModule<M, object>;
}

/** The input of the method. The contract lets an order leave it out if no field of it is required. */
export function methodInput(payment: PaymentInput): object {
  return payment[inputField(payment.method)] ?? {};
}

/** The method with its input. */
export function paymentInput(method: PaymentMethod, input: object): PaymentInput {
  return { method, [inputField(method)]: input };
}

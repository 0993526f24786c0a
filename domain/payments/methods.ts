import type { PaymentMethod } from '../merchants/merchant.ts';
import type { OperationKind } from './payment-operation.ts';

/**
 * The payment methods that an order can use. Each has one module in `services/payments/methods`,
 * `handlers/payments/methods` and `gateway/simulator/methods`, and an entry below: the compiler asks for all of them.
 * The other names of `PaymentMethod` are known to the contract, and no payment has them yet.
 */
export const SUPPORTED_METHODS = ['credit_card', 'pix'] as const satisfies readonly PaymentMethod[];
export type SupportedMethod = (typeof SUPPORTED_METHODS)[number];

/** What the rules of payments ask of a method. */
interface MethodRules {
  /** The operation that begins a payment. */
  readonly firstOperation: OperationKind;
}

export const METHOD_RULES = {
  credit_card: { firstOperation: 'authorize' },
  pix: { firstOperation: 'pix_charge' },
} as const satisfies Readonly<Record<SupportedMethod, MethodRules>>;

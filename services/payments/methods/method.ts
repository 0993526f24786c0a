import type { Tx } from '../../../db/engine/database.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { CreationCommand, CreationFields } from '../../../gateway/acquirer.ts';
import type { PayingCustomer } from '../../customers/resolve-customer.ts';
import type { Deps } from '../../deps.ts';
import type { Violations } from '../../refusal.ts';

/** What the use cases ask of a payment method. `Input` is what an order says about it. */
export interface PaymentMethodModule<Field extends string, Input> {
  /** The field with `Input` in the payment of an order. */
  readonly inputField: Field;
  /** Adds what is wrong with the input beside what the contract's schema checks. `at` is the merchant's time. */
  check(violations: Violations, input: Input, at: Date): void;
  /** Reads what the payment is made with, before the transaction. Refuses fields of the input. */
  prepare(deps: Deps, merchant: Merchant, input: Input): Promise<PreparedPayment>;
  /** Adds the violations that only the database shows, for an order that is refused anyway. */
  findViolations(
    deps: Deps,
    merchant: Merchant,
    violations: Violations,
    input: Input,
    buyer: Buyer,
  ): Promise<void>;
}

/** Whose order it is, as far as it is known before the order's transaction. */
export type Buyer =
  | { readonly kind: 'known'; readonly customerId: string }
  /** A customer that is created with the order. */
  | { readonly kind: 'new' }
  /** The order names a customer that does not exist. */
  | { readonly kind: 'missing' };

/** A payment that can be placed with its order. */
export interface PreparedPayment {
  /**
   * Locks what the payment is made with, in the order's transaction and together with the look-up of the customer. Refuses
   * what this customer cannot pay with.
   */
  lock(tx: Tx, customer: Promise<PayingCustomer>): Promise<void>;
  /** What the payment stores of its method. `at` is the merchant's time of the order. */
  details(at: Date): Pick<Payment, 'card' | 'pix'>;
  /** Takes what can be used only once, in the order's transaction. Resolves to what makes the acquirer's command. */
  command(tx: Tx): Promise<MakeCommand>;
}

/** The command that creates the payment at the acquirer. */
export type MakeCommand = (payment: Payment, common: CreationFields) => CreationCommand;

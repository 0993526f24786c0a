import type { Tx } from '../../../db/engine/database.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { MethodDetails, SupportedMethod } from '../../../domain/payments/methods/index.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { RequestedMove } from '../../../domain/payments/plan-moves.ts';
import type { ApprovalDetails, CreationCommand, CreationFields } from '../../../gateway/acquirer.ts';
import type { PayingCustomer } from '../../customers/resolve-customer.ts';
import type { Deps, TransactionContext } from '../../deps.ts';
import type { Violations } from '../../refusal.ts';

/** The field with the input of a method in the payment of an order: `creditCard` for `credit_card`. */
export type InputField<Method extends string> = Method extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<InputField<Tail>>}`
  : Method;

/** What the use cases ask of the payment method `M`. `Input` is what an order says about it. */
export interface PaymentMethodModule<M extends SupportedMethod, Input> {
  readonly inputField: InputField<M>;
  /** Adds what is wrong with the input beside what the contract's schema checks. `at` is the merchant's time. */
  check(violations: Violations, input: Input, at: Date): void;
  /** Reads what the payment is made with, before the transaction. Refuses fields of the input. */
  prepare(deps: Deps, merchant: Merchant, input: Input): Promise<PreparedPayment<M>>;
  /** Adds the violations that only the database shows, for an order that is refused anyway. */
  findViolations(
    deps: Deps,
    merchant: Merchant,
    violations: Violations,
    input: Input,
    buyer: Buyer,
  ): Promise<void>;

  /** The moves that follow when the acquirer approves the first operation. None when the payment has moved on before. */
  movesOnApproval(payment: Payment<M>, approval: ApprovalDetails): readonly RequestedMove[];
  /** Writes what the approval changes beside the payment. `at` is the merchant's time. */
  recordApproval(context: TransactionContext, payment: Payment<M>, at: Date): Promise<void>;
  /** The details that the approval brings and the payment does not have yet. */
  missingDetails(payment: Payment<M>, approval: ApprovalDetails): Partial<MethodDetails[M]>;
  /** The details of a charge that was paid by a transfer; null where the acquirer did not name it. */
  transferDetails(transferId: string | null): Partial<MethodDetails[M]>;
}

/** Whose order it is, as far as it is known before the order's transaction. */
export type Buyer =
  | { readonly kind: 'known'; readonly customerId: string }
  /** A customer that is created with the order. */
  | { readonly kind: 'new' }
  /** The order names a customer that does not exist. */
  | { readonly kind: 'missing' };

/** A payment that can be placed with its order. */
export interface PreparedPayment<M extends SupportedMethod = SupportedMethod> {
  /**
   * Locks what the payment is made with, in the order's transaction and together with the look-up of the customer. Refuses
   * what this customer cannot pay with.
   */
  lock(tx: Tx, customer: Promise<PayingCustomer>): Promise<void>;
  /** What the payment stores of its method. `at` is the merchant's time of the order. */
  details(at: Date): MethodDetails[M];
  /** Takes what can be used only once, in the order's transaction. */
  take(tx: Tx): Promise<CommandMaker<M>>;
}

export interface CommandMaker<M extends SupportedMethod = SupportedMethod> {
  /** The command that creates the payment at the acquirer. */
  command(payment: Payment<M>, common: CreationFields): CreationCommand;
}

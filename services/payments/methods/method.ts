import type { Tx } from '../../../db/engine/database.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import type { AcquirerUpdate } from '../../../domain/payments/acquirer-report.ts';
import type { DiscrepancyReason } from '../../../domain/payments/discrepancy.ts';
import type { MethodDetails } from '../../../domain/payments/methods/index.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { RequestedMove } from '../../../domain/payments/plan-moves.ts';
import type { ApprovalDetails, CreationCommand, CreationFields } from '../../../gateway/acquirer.ts';
import type { Payer, PayingCustomer } from '../../customers/resolve-customer.ts';
import type { Deps, TransactionContext } from '../../deps.ts';
import type { Violations } from '../../refusal.ts';

/** The field of an order's payment with the input of a method: `creditCard` for `credit_card`. */
export type InputField<Method extends string> = Method extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<InputField<Tail>>}`
  : Method;

export function inputField<M extends PaymentMethod>(method: M): InputField<M> {
  return method.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as InputField<M>;
}

/** What the acquirer reports about the transfer that paid a charge. Its id is null if the report does not have it. */
export type ReportedTransfer = Pick<AcquirerUpdate, 'endToEndId' | 'occurredAt'>;

/** The part of a payment method `M` in the use cases. `Input` is the part of an order about the method. */
export interface PaymentMethodModule<M extends PaymentMethod, Input> {
  /** Adds violations of rules that the contract's schema cannot express. `at` is the merchant's time. */
  check(violations: Violations, input: Input, at: Date): void;
  /** Adds violations of a buyer whom the method cannot name. Absent if it can charge any buyer. */
  checkPayer?(violations: Violations, payer: Payer): void;
  /** Reads the means of payment, such as the card, before the transaction. Refuses fields of the input. */
  prepare(deps: Deps, merchant: Merchant, input: Input): Promise<PreparedPayment<M>>;
  /** Adds the violations that need a look-up. Called only for an order that is refused anyway. */
  findViolations(
    deps: Deps,
    merchant: Merchant,
    violations: Violations,
    input: Input,
    buyer: Buyer,
  ): Promise<void>;

  /** Why the data of an approval contradicts the payment; null if it does not. */
  contradiction(payment: Payment<M>, approval: ApprovalDetails): DiscrepancyReason | null;
  /** The moves after the acquirer has approved the first operation. None if the payment has moved on before. */
  movesOnApproval(payment: Payment<M>, approval: ApprovalDetails): readonly RequestedMove[];
  /** Writes what the approval changes in other records than the payment. `at` is the merchant's time. */
  recordApproval(
    context: TransactionContext,
    payment: Payment<M>,
    approval: ApprovalDetails,
    at: Date,
  ): Promise<void>;
  /** Details of the approval that the payment does not have yet. */
  missingDetails(payment: Payment<M>, approval: ApprovalDetails): Partial<MethodDetails[M]>;
  /** The details of a charge that was paid by a transfer. */
  transferDetails(transfer: ReportedTransfer): Partial<MethodDetails[M]>;
}

/** The buyer of an order, before the order's transaction. */
export type Buyer =
  | ({ readonly kind: 'known'; readonly customerId: string } & Payer)
  /** A customer that is created with the order. */
  | ({ readonly kind: 'new' } & Payer)
  /** The order names a customer that does not exist. */
  | { readonly kind: 'missing' };

/** A payment that can be placed with its order. */
export interface PreparedPayment<M extends PaymentMethod = PaymentMethod> {
  /** The stored credential by which a subscription charges a wallet later; absent for other methods. */
  readonly walletCredentialId?: string;
  /**
   * Locks the means of payment in the order's transaction, while the customer is looked up. Refuses what this
   * customer cannot pay with.
   */
  lock(tx: Tx, customer: Promise<PayingCustomer>): Promise<void>;
  /**
   * The data of the payment that depends on the method. `at` is the merchant's time of the order. `dueOn` is the due
   * date of a billing cycle (`YYYY-MM-DD`), unless the input has one.
   */
  details(at: Date, customer: PayingCustomer, dueOn?: string): MethodDetails[M];
  /** Uses up what can be used only once, such as a security code, in the order's transaction. */
  take(tx: Tx): Promise<CommandMaker<M>>;
}

export interface CommandMaker<M extends PaymentMethod = PaymentMethod> {
  /** The command that creates the payment at the acquirer. */
  command(payment: Payment<M>, common: CreationFields): CreationCommand;
}

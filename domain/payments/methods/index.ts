import type { PaymentMethod } from '../../merchants/merchant.ts';
import type { PaymentRefusal } from '../refusal-reasons.ts';
import { type BankSlipDetails, bankSlip } from './bank-slip.ts';
import { browserWallet, type WalletDetails } from './browser-wallet.ts';
import { type CardDetails, creditCard } from './credit-card.ts';
import type { DuePayment, DueStep, MethodRules, PaidMove, RefusedStep } from './method.ts';
import { type PixDetails, pix } from './pix.ts';
import { type PixRecurringDetails, pixRecurring } from './pix-recurring.ts';

/**
 * The payment methods that payments can have. Orders use all but `pix_recurring`, which charges subscriptions. A method has one module in each of `domain/payments/methods`,
 * `services/payments/methods`, `handlers/payments/methods` and `gateway/simulator/methods`. The code does not compile
 * if one of them is missing in a list, and no other file may name a method. `PaymentMethod` has further names from the
 * contract, which no payment has yet.
 */
export const SUPPORTED_METHODS = [
  'credit_card',
  'debit_card',
  'pix',
  'bank_slip',
  'browser_wallet',
  'pix_recurring',
] as const satisfies readonly PaymentMethod[];
export type SupportedMethod = (typeof SUPPORTED_METHODS)[number];

/** The data of a payment that depends on its method. */
export interface MethodDetails extends Record<SupportedMethod, object> {
  readonly credit_card: CardDetails;
  readonly debit_card: CardDetails;
  readonly pix: PixDetails;
  readonly bank_slip: BankSlipDetails;
  readonly browser_wallet: WalletDetails;
  readonly pix_recurring: PixRecurringDetails;
}

const RULES: { readonly [M in SupportedMethod]: MethodRules<MethodDetails[M]> } = {
  credit_card: creditCard,
  debit_card: creditCard,
  pix,
  bank_slip: bankSlip,
  browser_wallet: browserWallet,
  pix_recurring: pixRecurring,
};

/** A payment's method, and the data that depends on it. */
export interface WithMethod<M extends SupportedMethod = SupportedMethod> {
  readonly method: M;
  readonly details: MethodDetails[M];
}

/** The rules of a method. */
export function methodRules<M extends SupportedMethod>(method: M): MethodRules<MethodDetails[M]> {
  return RULES[method];
}

/** Whether the approval of its first operation captures the payment. */
export function capturesOnApproval<M extends SupportedMethod>({ method, details }: WithMethod<M>): boolean {
  return methodRules(method).capturesOnApproval(details);
}

type DueOf<M extends SupportedMethod> = WithMethod<M> & DuePayment<MethodDetails[M]>;

/** The step that is due when the payment's `dueAt` has come. */
export function dueStep<M extends SupportedMethod>(payment: DueOf<M>, at: Date): DueStep {
  return methodRules(payment.method).dueStep(payment, at);
}

/** When the next step is due after the acquirer refused one that the clock requested; null if none is left. */
export function dueAfterRefusal<M extends SupportedMethod>(
  payment: DueOf<M>,
  refused: RefusedStep,
  at: Date,
): Date | null {
  return methodRules(payment.method).dueAfterRefusal(payment, refused, at);
}

/** The id of the transfer that paid it. Null if it is not known, and for methods without one. */
export function transferId<M extends SupportedMethod>({ method, details }: WithMethod<M>): string | null {
  return methodRules(method).transferId(details);
}

/** When it was paid, by the acquirer's clock. Null if it is not known, and for methods whose transfers have an id. */
export function paidAt<M extends SupportedMethod>({ method, details }: WithMethod<M>): Date | null {
  return methodRules(method).paidAt(details);
}

/** The move of a payment that was paid. */
export function paidBy<M extends SupportedMethod>({ method, details }: WithMethod<M>): PaidMove {
  return methodRules(method).paidBy(details);
}

/** Whether the acquirer still takes the payment of a charge that it has reported as expired. */
export function mayBePaidLate({ method }: WithMethod): boolean {
  return methodRules(method).mayBePaidLate;
}

/** Whether a buyer can dispute a payment that is paid. */
export function mayBeDisputed({ method }: WithMethod): boolean {
  return methodRules(method).mayBeDisputed;
}

/** The id of the stored credential that only the payment's approval brings. Null if there is none. */
export function awaitedCredential<M extends SupportedMethod>({
  method,
  details,
}: WithMethod<M>): string | null {
  return methodRules(method).awaitedCredential(details);
}

/** The id of the stored means of payment that a payment charges, such as a card. Null if there is none. */
export function chargedMeans<M extends SupportedMethod>({ method, details }: WithMethod<M>): string | null {
  return methodRules(method).chargedMeans(details);
}

/** The text of a payment on the customer's card statement. Null if there is no such statement. */
export function statementDescriptor<M extends SupportedMethod>({
  method,
  details,
}: WithMethod<M>): string | null {
  return methodRules(method).statementDescriptor(details);
}

/** The refusal of a payment for a code of the acquirer. */
export function refusalOf<M extends SupportedMethod>(
  { method, details }: WithMethod<M>,
  code: string,
): PaymentRefusal {
  return methodRules(method).refusal(code, details);
}

import type { Language } from '../../language.ts';
import type { PaymentMethod } from '../../merchants/merchant.ts';
import type { PaymentRefusal } from '../refusal-reasons.ts';
import { type BankSlipDetails, bankSlip } from './bank-slip.ts';
import { browserWallet, type WalletDetails } from './browser-wallet.ts';
import { type CardDetails, creditCard } from './credit-card.ts';
import { debitCard } from './debit-card.ts';
import type { CheckoutRules, DuePayment, DueStep, MethodRules, PaidMove, RefusedStep } from './method.ts';
import { type PixDetails, pix } from './pix.ts';
import { type PixRecurringDetails, pixRecurring } from './pix-recurring.ts';

/**
 * The methods of payments. A method has one module in each of `domain/payments/methods`, `services/payments/methods`,
 * `handlers/payments/methods` and `gateway/simulator/methods`. The code does not compile if one of them is missing in a
 * list, and no other file may name a method.
 */
export type SupportedMethod = PaymentMethod;

/** The data of a payment that depends on its method. */
export interface MethodDetails extends Record<SupportedMethod, object> {
  readonly credit_card: CardDetails;
  readonly debit_card: CardDetails;
  readonly pix: PixDetails;
  readonly bank_slip: BankSlipDetails;
  readonly browser_wallet: WalletDetails;
  readonly pix_recurring: PixRecurringDetails;
}

/** In the order in which pages offer them to buyers. */
const RULES = {
  pix,
  credit_card: creditCard,
  debit_card: debitCard,
  bank_slip: bankSlip,
  browser_wallet: browserWallet,
  pix_recurring: pixRecurring,
} as const satisfies { readonly [M in SupportedMethod]: MethodRules<MethodDetails[M]> };

/** A method that payment links and offers can have. */
export type CheckoutMethod = {
  [M in SupportedMethod]: (typeof RULES)[M]['atCheckout'] extends null ? never : M;
}[SupportedMethod];

/** All methods that a checkout page can have, in the order in which it shows them. */
export const CHECKOUT_METHODS = (Object.keys(RULES) as SupportedMethod[]).filter(
  (method): method is CheckoutMethod => RULES[method].atCheckout !== null,
);

/** A payment's method, and the data that depends on it. */
export interface WithMethod<M extends SupportedMethod = SupportedMethod> {
  readonly method: M;
  readonly details: MethodDetails[M];
}

/** The rules of a method. */
export function methodRules<M extends SupportedMethod>(method: M): MethodRules<MethodDetails[M]> {
  return (RULES as { readonly [Each in SupportedMethod]: MethodRules<MethodDetails[Each]> })[method];
}

/** Whether a checkout page can have the payment's method. */
export function isAtCheckout<P extends WithMethod>(payment: P): payment is P & WithMethod<CheckoutMethod> {
  return RULES[payment.method].atCheckout !== null;
}

/** The rules of the checkout pages for a method. */
export function checkoutRules(method: CheckoutMethod): CheckoutRules {
  return RULES[method].atCheckout!;
}

/** How a buyer's receipt names what the buyer paid with. */
export function receiptName<M extends SupportedMethod>({
  method,
  details,
}: WithMethod<M>): Readonly<Record<Language, string>> {
  return methodRules(method).receiptName(details);
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

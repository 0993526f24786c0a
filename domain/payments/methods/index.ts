import type { Language } from '../../language.ts';
import type { PaymentMethod } from '../../merchants/payment-methods.ts';
import type { PaymentRefusal } from '../refusal-reasons.ts';
import { type BankSlipDetails, bankSlip } from './bank-slip.ts';
import { browserWallet, type WalletDetails } from './browser-wallet.ts';
import { type CardDetails, creditCard } from './credit-card.ts';
import { debitCard } from './debit-card.ts';
import type {
  CheckoutRules,
  DuePayment,
  DueStep,
  MethodKind,
  MethodRules,
  PaidMove,
  RefusedStep,
} from './method.ts';
import { type PixDetails, pix } from './pix.ts';
import { type PixRecurringDetails, pixRecurring } from './pix-recurring.ts';

/** The data of a payment that depends on the kind of its method. */
interface KindDetails {
  readonly card: CardDetails;
  readonly pix: PixDetails;
  readonly bank_slip: BankSlipDetails;
  readonly wallet: WalletDetails;
  readonly mandate: PixRecurringDetails;
}

/**
 * The rules of each method, in the order in which pages offer them to buyers. README.md in this folder lists the files
 * that a new method touches.
 */
const RULES = {
  pix,
  credit_card: creditCard,
  debit_card: debitCard,
  bank_slip: bankSlip,
  browser_wallet: browserWallet,
  pix_recurring: pixRecurring,
} as const satisfies Readonly<Record<PaymentMethod, AnyRules>>;

type AnyRules = { readonly [K in MethodKind]: MethodRules<K, KindDetails[K]> }[MethodKind];

export type KindOf<M extends PaymentMethod> = (typeof RULES)[M]['kind'];

/** The methods of a kind. */
export type MethodOf<K extends MethodKind> = {
  [M in PaymentMethod]: KindOf<M> extends K ? M : never;
}[PaymentMethod];

/** The data of a payment that depends on its method. */
export type MethodDetails = { readonly [M in PaymentMethod]: KindDetails[KindOf<M>] };

/** A method that payment links and offers can have. */
export type CheckoutMethod = {
  [M in PaymentMethod]: (typeof RULES)[M]['atCheckout'] extends null ? never : M;
}[PaymentMethod];

/** All methods that a checkout page can have, in the order in which it shows them. */
export const CHECKOUT_METHODS = (Object.keys(RULES) as PaymentMethod[]).filter(
  (method): method is CheckoutMethod => RULES[method].atCheckout !== null,
);

/** The methods that charge a stored card. */
export type CardMethod = MethodOf<'card'>;

/** The methods that charge by a mandate. */
export type MandateMethod = MethodOf<'mandate'>;

/** A payment's method, and the data that depends on it. */
export interface WithMethod<M extends PaymentMethod = PaymentMethod> {
  readonly method: M;
  readonly details: MethodDetails[M];
}

/** The rules of a method. */
export function methodRules<M extends PaymentMethod>(method: M): MethodRules<KindOf<M>, MethodDetails[M]> {
  return RULES[method] as unknown as MethodRules<KindOf<M>, MethodDetails[M]>;
}

/** Whether a checkout page can have the payment's method. */
export function isAtCheckout<P extends WithMethod>(payment: P): payment is P & WithMethod<CheckoutMethod> {
  return RULES[payment.method].atCheckout !== null;
}

/** Whether the payment is charged by a mandate, or asks for one. */
export function hasMandate<P extends WithMethod>(payment: P): payment is P & WithMethod<MandateMethod> {
  return methodRules(payment.method).hasMandate;
}

/** The rules of the checkout pages for a method. */
export function checkoutRules(method: CheckoutMethod): CheckoutRules {
  return RULES[method].atCheckout!;
}

/** How a buyer's receipt names what the buyer paid with. */
export function receiptName<M extends PaymentMethod>({
  method,
  details,
}: WithMethod<M>): Readonly<Record<Language, string>> {
  return methodRules(method).receiptName(details);
}

/** Whether the approval of its first operation captures the payment. */
export function capturesOnApproval<M extends PaymentMethod>({ method, details }: WithMethod<M>): boolean {
  return methodRules(method).capturesOnApproval(details);
}

type DueOf<M extends PaymentMethod> = WithMethod<M> & DuePayment<MethodDetails[M]>;

/** The step that is due when the payment's `dueAt` has come. */
export function dueStep<M extends PaymentMethod>(payment: DueOf<M>, at: Date): DueStep {
  return methodRules(payment.method).dueStep(payment, at);
}

/** Until when a charge can be paid, or its mandate be authorized; null if it does not expire. */
export function expiresAt<M extends PaymentMethod>({ method, details }: WithMethod<M>): Date | null {
  return methodRules(method).expiresAt(details);
}

/** When the next step is due after the acquirer refused one that the clock requested; null if none is left. */
export function dueAfterRefusal<M extends PaymentMethod>(
  payment: DueOf<M>,
  refused: RefusedStep,
  at: Date,
): Date | null {
  return methodRules(payment.method).dueAfterRefusal(payment, refused, at);
}

/** The codes of the payment's refusals that are known. */
export function refusalCodes<M extends PaymentMethod>({ method, details }: WithMethod<M>): readonly string[] {
  return methodRules(method).refusalCodes(details);
}

/** The id of the transfer that paid it. Null if it is not known, and for methods without one. */
export function transferId<M extends PaymentMethod>({ method, details }: WithMethod<M>): string | null {
  return methodRules(method).transferId(details);
}

/** When it was paid, by the acquirer's clock. Null if it is not known, and for methods whose transfers have an id. */
export function paidAt<M extends PaymentMethod>({ method, details }: WithMethod<M>): Date | null {
  return methodRules(method).paidAt(details);
}

/** The move of a payment that was paid. */
export function paidBy<M extends PaymentMethod>({ method, details }: WithMethod<M>): PaidMove {
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
export function awaitedCredential<M extends PaymentMethod>({
  method,
  details,
}: WithMethod<M>): string | null {
  return methodRules(method).awaitedCredential(details);
}

/** The id of the stored means of payment that a payment charges, such as a card. Null if there is none. */
export function chargedMeans<M extends PaymentMethod>({ method, details }: WithMethod<M>): string | null {
  return methodRules(method).chargedMeans(details);
}

/** The text of a payment on the customer's card statement. Null if there is no such statement. */
export function statementDescriptor<M extends PaymentMethod>({
  method,
  details,
}: WithMethod<M>): string | null {
  return methodRules(method).statementDescriptor(details);
}

/** The refusal of a payment for a code of the acquirer. */
export function refusalOf<M extends PaymentMethod>(
  { method, details }: WithMethod<M>,
  code: string,
): PaymentRefusal {
  return methodRules(method).refusal(code, details);
}

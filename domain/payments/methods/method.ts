import type { Language } from '../../language.ts';
import type { AvailableOn } from '../../ledger/receivables.ts';
import type { FirstOperationKind } from '../payment-operation.ts';
import type { PaymentRefusal } from '../refusal-reasons.ts';

/**
 * Methods of one kind store the same data and are charged in the same way, so one module of each folder serves all of
 * them. README.md in this folder says which.
 */
export type MethodKind = 'card' | 'pix' | 'bank_slip' | 'wallet' | 'mandate';

/** The rules of a payment method. `Details` is the data of a payment that depends on the method. */
export interface MethodRules<Kind extends MethodKind, Details> {
  readonly kind: Kind;
  /** The operation that creates a payment at the acquirer. */
  readonly firstOperation: FirstOperationKind;
  /**
   * The family of the notifications about the payment: the word before the dot, as in `pix.paid` and
   * `authorization.approved`.
   */
  readonly notifiedAs: NotificationFamily;
  /** Whether the approval of the first operation captures the payment. */
  capturesOnApproval(details: Details): boolean;
  /** Until when the charge can be paid, or its mandate be authorized; null if it does not expire. */
  expiresAt(details: Details): Date | null;
  /** The step that is due when the payment's `dueAt` has come. */
  dueStep(payment: DuePayment<Details>, at: Date): DueStep;
  /** When the next step is due after the acquirer refused one that the clock requested; null if none is left. */
  dueAfterRefusal(payment: DuePayment<Details>, refused: RefusedStep, at: Date): Date | null;
  /** The move of a payment that was paid, which decides its events. */
  paidBy(details: Details): PaidMove;
  /** Whether the acquirer still takes the payment of a charge that it has reported as expired. */
  readonly mayBePaidLate: boolean;
  /** Whether it is charged by a mandate that the payer has authorized, and whose details it then has. */
  readonly hasMandate: boolean;
  /** Whether a buyer can dispute a paid payment. Nobody can dispute a boleto. */
  readonly mayBeDisputed: boolean;
  /**
   * The id of the stored credential that only the payment's approval brings, and by which its means of payment is
   * charged again. Null if there is none.
   */
  awaitedCredential(details: Details): string | null;
  /** The id of the stored means of payment that it charges, such as a card. Null if there is none. */
  chargedMeans(details: Details): string | null;
  /** The text of the charge on the customer's card statement. Null if there is no such statement. */
  statementDescriptor(details: Details): string | null;
  /** The codes of the payment's refusals that are known. */
  refusalCodes(details: Details): readonly string[];
  /** The refusal for a code of the acquirer. */
  refusal(code: string, details: Details): PaymentRefusal;
  /** The id of the transfer that paid it. Null if it is not known, and for methods without one. */
  transferId(details: Details): string | null;
  /**
   * When it was paid, by the acquirer's clock, for methods whose transfers have no id: a payment at another time is a
   * second one. Null if it is not known, and for other methods.
   */
  paidAt(details: Details): Date | null;
  /** The day on which an installment of a capture becomes available (contract row 13.9). */
  readonly availableOn: AvailableOn;
  /** How a buyer's receipt names what the buyer paid with. */
  receiptName(details: Details): Readonly<Record<Language, string>>;
  /** How it is paid at a payment link or an offer; null if the pages do not have it. */
  readonly atCheckout: CheckoutRules | null;
}

/** A method that the checkout pages do not have. */
export interface NotAtCheckout {
  readonly atCheckout: null;
}

/** The rules of the checkout pages for a method. */
export interface CheckoutRules {
  /** Whether the address of the payer is needed. */
  readonly needsAddress: boolean;
  /** Whether it can be charged again for a subscription that a page starts. */
  readonly startsSubscriptions: boolean;
  /** Whether the buyer can pay in installments. */
  readonly hasInstallments: boolean;
  /** Whether an authorization can be captured later. */
  readonly canCaptureLater: boolean;
  /** The part of an order about the method, by the settings of its page. `at` is the merchant's time. */
  input(settings: CheckoutExpiries, at: Date): object;
}

/** How long buyers can pay what a checkout page charged. */
export interface CheckoutExpiries {
  readonly pixExpirationMinutes: number;
  readonly boletoExpirationDays: number;
}

/** What a step depends on. */
export interface DuePayment<Details> {
  readonly details: Details;
  readonly createdAt: Date;
  readonly dueAt: Date | null;
  readonly billingDate: string | null;
}

export interface RefusedStep {
  readonly step: DueStep;
  readonly isRetryable: boolean;
  /** When operations of the same kind were requested before and refused, by the merchant's clock. */
  readonly refusedBefore: readonly Date[];
}

/** The moves by which a payment becomes paid without a capture that we requested. */
export type PaidMove = 'settle' | 'settle_first' | 'settle_recurring';

/**
 * The expiry of a charge or the cancellation of one that was withdrawn, or the void or capture of an authorization.
 * `inquire`: the acquirer is asked what has become of a charge, which is then canceled if it is still open.
 */
export type DueStep = 'expire' | 'cancel' | 'inquire' | 'void' | 'capture';

/**
 * A charge has notifications with its own name: paid, refused, expired. Any other payment has those of an
 * authorization.
 */
export type NotificationFamily = 'authorization' | ChargeFamily;
export type ChargeFamily = (typeof CHARGE_FAMILIES)[number];
/** The methods of this family have notifications about their mandates too. */
export const MANDATE_FAMILY = 'pix_recurring' satisfies ChargeFamily;
export const CHARGE_FAMILIES = ['pix', 'bank_slip', 'pix_recurring'] as const;

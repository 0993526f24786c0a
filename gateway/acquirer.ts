import type { PaymentMethod } from '../domain/merchants/merchant.ts';
import type { NotificationType } from '../domain/payments/acquirer-notification.ts';
import type { OperationKind } from '../domain/payments/payment-operation.ts';
import type { PaymentRefusal } from '../domain/payments/refusal-reasons.ts';

/**
 * The acquirer port: what the product asks of whoever moves the money. One interface, one union of outcomes.
 *
 * Every call carries `reference`, made by us and unique for ever: an acquirer that sees it again repeats its first
 * answer and does nothing. No method throws for a business or network reason: what cannot be known is `unknown`,
 * and is settled later by `inquire`. Amounts are integer centavos (BRL).
 */
export interface Acquirer {
  /** True where there is none: nothing new may be begun. */
  readonly isMissing?: boolean;
  authorizeCard(request: AuthorizeCard): Promise<Outcome<CardApproval>>;
  capture(request: CaptureCard): Promise<Outcome>;
  /** Releases an authorization that was not captured, or withdraws an open Pix charge. */
  cancel(request: CancelPayment): Promise<Outcome>;
  refund(request: RefundPayment): Promise<Outcome>;
  createPixCharge(request: CreatePixCharge): Promise<Outcome<PixChargeApproval>>;
  requestNetworkToken(request: RequestNetworkToken): Promise<TokenOutcome>;
  /**
   * What became of the operation that we sent as `reference`. With `seal`, an acquirer that never saw it refuses it
   * from now on, should it still be on its way; so `not_found` is then final.
   */
  inquire(request: Inquire): Promise<InquiryOutcome>;
}

/** Fields that every request carries. */
export interface AcquirerRequest {
  /** Our own, unique reference of this operation, 26–35 characters `[a-z0-9]`; its first two tell the slot. */
  readonly reference: string;
  /** The merchant at the acquirer: our merchant id. */
  readonly account: string;
  /** The merchant's time at which this was asked. */
  readonly requestedAt: Date;
}

export interface AuthorizeCard extends AcquirerRequest {
  readonly amount_centavos: number;
  /** Authorize and capture in one step. */
  readonly capture: boolean;
  readonly installments: number;
  readonly mcc: string;
  readonly statementDescriptor: string | null;
  readonly customer: AcquirerCustomer;
  readonly card: {
    readonly number: string;
    readonly holder: string;
    readonly expMonth: string;
    readonly expYear: string;
    /** Present for the first authorization only. */
    readonly securityCode: string | null;
    /** Our id of the card: scripts of the sandbox name it. */
    readonly cardId: string;
  };
}

export interface AcquirerCustomer {
  readonly customerId: string;
  readonly name: string;
  /** CPF or CNPJ, null when the merchant did not give one. */
  readonly document: string | null;
}

export interface CaptureCard extends AcquirerRequest {
  /** Of the payment, as for cancellations and refunds. */
  readonly method: PaymentMethod;
  readonly authorizationReference: string;
  readonly amount_centavos: number;
}

export interface CancelPayment extends AcquirerRequest {
  readonly method: PaymentMethod;
  readonly authorizationReference: string;
  /** The whole amount of the payment. */
  readonly amount_centavos: number;
}

export interface RefundPayment extends AcquirerRequest {
  readonly method: PaymentMethod;
  /** Reference of the authorization (card) or of the charge (Pix). */
  readonly paymentReference: string;
  readonly amount_centavos: number;
}

export interface CreatePixCharge extends AcquirerRequest {
  /** 26–35 alphanumerics, unique; the payer's bank shows it. */
  readonly txid: string;
  readonly amount_centavos: number;
  readonly expiresAt: Date;
  readonly customer: AcquirerCustomer;
}

export interface RequestNetworkToken extends AcquirerRequest {
  readonly card: {
    readonly number: string;
    readonly expMonth: string;
    readonly expYear: string;
    readonly cardId: string;
  };
}

export interface Inquire {
  readonly reference: string;
  readonly account: string;
  readonly seal: boolean;
}

export interface CardApproval {
  readonly authorizationCode: string;
}

export interface PixChargeApproval {
  /** Where the payer's bank reads the charge: host and path without scheme, at most 77 characters. */
  readonly location: string;
  readonly receiverName: string;
  readonly receiverCity: string;
}

/** What an answer is about, in the acquirer's own words: it is compared with what was asked. */
export interface OutcomeSubject {
  readonly operation: OperationKind;
  readonly method: PaymentMethod;
  readonly amount_centavos: number;
}

interface Approved {
  readonly kind: 'approved';
  readonly acquirerReference: string;
}

interface Refused {
  readonly kind: 'refused';
  readonly refusal: PaymentRefusal;
}

interface Pending {
  readonly kind: 'pending';
  readonly acquirerReference: string;
}

interface Unknown {
  readonly kind: 'unknown';
  readonly cause: string;
}

/**
 * approved: done, final. refused: not done, final. pending: accepted, the result comes by notification (or inquiry).
 * unknown: no usable answer; the operation may or may not have happened.
 */
export type Outcome<Approval extends object = object> =
  | (OutcomeSubject & ((Approved & Approval) | Refused | Pending))
  | Unknown;

/** The same for a network token, which moves no money. */
export type TokenOutcome = (Approved & { readonly networkToken: string }) | Refused | Pending | Unknown;

export type InquiryOutcome =
  | Outcome<Partial<CardApproval> & Partial<PixChargeApproval>>
  | { readonly kind: 'not_found' };

/** What the acquirer reports unasked, by a signed notification. `reference` is ours, of the operation or payment. */
export interface AcquirerNotification {
  /** Unique id of the notification: the same one may arrive twice. */
  readonly id: string;
  readonly account: string;
  /** Our reference: of a Pix charge or authorization for the payment's own changes, of the operation otherwise. */
  readonly reference: string;
  readonly type: NotificationType;
  /** Null: the notification leaves it to its type. */
  readonly method: PaymentMethod | null;
  /** Merchant's time at which it happened. */
  readonly occurredAt: Date;
  readonly refusal: PaymentRefusal | null;
  /** Null where the notification names none; then it is not believed. */
  readonly amount_centavos: number | null;
  /** Of a paid Pix: the 32-character end-to-end id. */
  readonly endToEndId: string | null;
}

export type { NotificationType };

import type { PaymentMethod } from '../domain/merchants/merchant.ts';
import type { NotificationType } from '../domain/payments/acquirer-notification.ts';
import type { SupportedMethod } from '../domain/payments/methods/index.ts';
import type { OperationKind } from '../domain/payments/payment-operation.ts';
import type { PaymentRefusal } from '../domain/payments/refusal-reasons.ts';

/**
 * The acquirer port: what the product asks of the company that moves the money. One union of commands, one union of
 * outcomes.
 *
 * Every command carries a `reference`, made by us and unique for ever. An acquirer that receives it again repeats its
 * first answer and does nothing. No method throws for a business or network reason: an outcome that cannot be known is
 * `unknown`, and is settled later by `inquire`. Amounts are integer centavos (BRL).
 */
export interface Acquirer {
  /** False where no acquirer is configured: no order can be accepted. */
  readonly isConfigured: boolean;
  /** Sends one command and resolves to its outcome. */
  perform<C extends AcquirerCommand>(command: C): Promise<OutcomeOf<C>>;
  /**
   * The outcome of the command that we sent as `reference`. With `seal`, an acquirer that never received it refuses it
   * from now on, should it still be on its way. `not_found` is then final.
   */
  inquire(inquiry: Inquiry): Promise<InquiryOutcome>;
}

/** Everything that an acquirer can be asked to do. */
export type AcquirerCommand = PaymentCommand | RequestNetworkToken;

/** The commands about a payment. Their kinds are those of the operations that we record. */
export type PaymentCommand = CreationCommand | PaymentModification;

/** The commands that create a payment at the acquirer. */
export type CreationCommand = AuthorizeCard | CreatePixCharge;

/** Every kind of operation is a command, and every command of a payment is an operation. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
true satisfies Same<PaymentCommand['kind'], OperationKind>;

/** The command of one kind. */
export type CommandOf<K extends AcquirerCommand['kind']> = Extract<AcquirerCommand, { readonly kind: K }>;

/** Fields that every command carries. */
interface CommandBase {
  /** Our own, unique reference of this operation, 26–35 characters `[a-z0-9]`. The first two give the slot. */
  readonly reference: string;
  /** The merchant at the acquirer: our merchant id. */
  readonly account: string;
  /** The merchant's time of the request. */
  readonly requestedAt: Date;
}

/** Fields that every command for a new payment carries. */
export interface CreationFields extends CommandBase {
  readonly method: SupportedMethod;
  readonly amount_centavos: number;
  readonly customer: AcquirerCustomer;
}

export interface AuthorizeCard extends CreationFields {
  readonly kind: 'authorize';
  /** Authorize and capture in one step. */
  readonly capture: boolean;
  readonly installments: number;
  readonly mcc: string;
  readonly statementDescriptor: string | null;
  readonly card: {
    readonly number: string;
    readonly holder: string;
    readonly expMonth: string;
    readonly expYear: string;
    /** Present for the first authorization only. */
    readonly securityCode: string | null;
    /** Our id of the card. Scripts of the sandbox name it. */
    readonly cardId: string;
  };
}

export interface AcquirerCustomer {
  readonly customerId: string;
  readonly name: string;
  /** CPF or CNPJ, null when the merchant did not give one. */
  readonly document: string | null;
}

export interface CreatePixCharge extends CreationFields {
  readonly kind: 'pix_charge';
  /** 26–35 alphanumerics, unique; the payer's bank shows it. */
  readonly txid: string;
  readonly expiresAt: Date;
}

/** A capture, a refund, or a cancellation: the release of an authorization, or the withdrawal of an open charge. */
export type PaymentModification = Modification<'capture'> | Modification<'cancel'> | Modification<'refund'>;

interface Modification<K extends OperationKind> extends CommandBase {
  readonly kind: K;
  /** The method of the payment. */
  readonly method: PaymentMethod;
  /** The reference of the authorization or charge. */
  readonly paymentReference: string;
  /** How much of the payment. A cancellation is about the whole amount. */
  readonly amount_centavos: number;
}

export interface RequestNetworkToken extends CommandBase {
  readonly kind: 'network_token';
  readonly card: {
    readonly number: string;
    readonly expMonth: string;
    readonly expYear: string;
    readonly cardId: string;
  };
}

export interface Inquiry {
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

/** What an approval of each kind brings. Notifications and late answers may lack some of it. */
export type ApprovalDetails = Partial<CardApproval> & Partial<PixChargeApproval>;

/** What an answer is about, as the acquirer states it. It is compared with what was asked. */
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
 * approved: done, final. refused: not done, final. pending: accepted, the result comes by notification or inquiry.
 * unknown: no usable answer; the operation may or may not have happened.
 */
export type Outcome = (OutcomeSubject & ((Approved & ApprovalDetails) | Refused | Pending)) | Unknown;

/** The same for a network token, which moves no money. */
export type TokenOutcome = (Approved & { readonly networkToken: string }) | Refused | Pending | Unknown;

export type OutcomeOf<C extends AcquirerCommand> = C extends RequestNetworkToken ? TokenOutcome : Outcome;

export type InquiryOutcome = Outcome | { readonly kind: 'not_found' };

/** What the acquirer reports unasked, by a signed notification. `reference` is ours, of the operation or payment. */
export interface AcquirerNotification {
  /** Unique id of the notification: the same one may arrive twice. */
  readonly id: string;
  readonly account: string;
  /** Our reference: of the authorization or charge for the payment's own changes, of the operation otherwise. */
  readonly reference: string;
  readonly type: NotificationType;
  /** Null where the notification does not name one; its type then limits the methods. */
  readonly method: PaymentMethod | null;
  /** Merchant's time at which it happened. */
  readonly occurredAt: Date;
  readonly refusal: PaymentRefusal | null;
  /** Null where the notification names none; then it is not applied. */
  readonly amount_centavos: number | null;
  /** Of a paid Pix: the 32-character end-to-end id. */
  readonly endToEndId: string | null;
}

export type { NotificationType };

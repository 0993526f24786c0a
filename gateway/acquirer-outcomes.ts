import type { CardBrand } from '../domain/cards/card-number.ts';
import type { PaymentMethod } from '../domain/merchants/payment-methods.ts';
import type { DisputeNotice } from '../domain/payments/dispute-notice.ts';
import type { MandateNotice } from '../domain/payments/methods/mandate-updates.ts';
import type { OperationKind } from '../domain/payments/payment-operation.ts';
import type { PaymentRefusal } from '../domain/payments/refusal-reasons.ts';
import type {
  AcquirerCommand,
  ReadWalletToken,
  RequestNetworkToken,
  RequestWalletCredential,
  SubmitEvidence,
} from './acquirer-commands.ts';

export interface CardApproval {
  readonly authorizationCode: string;
}

export interface PixChargeApproval {
  /** Where the payer's bank reads the charge: host and path without scheme, at most 77 characters. */
  readonly location: string;
  readonly receiverName: string;
  readonly receiverCity: string;
}

export interface BankSlipApproval {
  /** 44 digits. */
  readonly barcode: string;
}

export interface MandateApproval {
  /** Where the payer's bank reads the mandate: host and path without scheme, at most 77 characters. */
  readonly recurrenceLocation: string;
}

/** The data that approvals contain, by kind of command. Notifications and late answers may lack some of it. */
export type ApprovalDetails = Partial<CardApproval> &
  Partial<PixChargeApproval> &
  Partial<BankSlipApproval> &
  Partial<MandateApproval> & {
    /** By which the card in a wallet is charged again, if the command asked for it. */
    readonly storedCredential?: string;
    /** The acquirer's own id of what it approved. */
    readonly acquirerReference?: string;
  };

/** The operation that an answer is about, as the acquirer states it. It is compared with the request. */
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
 * approved: done, final. refused: not done, final. pending: accepted, the result is sent later as a notification or is
 * found by an inquiry. unknown: no usable answer; the operation may have been done or not.
 */
export type Outcome = (OutcomeSubject & ((Approved & ApprovalDetails) | Refused | Pending)) | Unknown;

/** The same for a network token, which moves no money. */
export type TokenOutcome = (Approved & { readonly networkToken: string }) | Refused | Pending | Unknown;

/** The same for the credential of a card in a wallet. */
export type CredentialOutcome =
  | (Approved & { readonly storedCredential: string })
  | Refused
  | Pending
  | Unknown;

/** The same for evidence against a dispute. */
export type EvidenceOutcome = Approved | Refused | Pending | Unknown;

export type EvidenceInquiryOutcome = EvidenceOutcome | { readonly kind: 'not_found' };

/** What a wallet token contains. `invalid`: the acquirer cannot read it. */
export type WalletTokenOutcome =
  | ({ readonly kind: 'valid' } & WalletTokenContent)
  | { readonly kind: 'invalid' }
  | Unknown;

export interface WalletTokenContent {
  /** Another one for each token, at most 100 characters. */
  readonly tokenId: string;
  /** When it stops being accepted. */
  readonly expiresAt: Date;
  /** The domain of the page on which the buyer confirmed the payment. */
  readonly domainName: string;
  /** The name of the wallet in the contract. */
  readonly wallet: string;
  /** Null for a brand that is not accepted. */
  readonly brand: CardBrand | null;
  readonly last4: string;
}

export type OutcomeOf<C extends AcquirerCommand> = C extends RequestNetworkToken
  ? TokenOutcome
  : C extends ReadWalletToken
    ? WalletTokenOutcome
    : C extends RequestWalletCredential
      ? CredentialOutcome
      : C extends SubmitEvidence
        ? EvidenceOutcome
        : Outcome;

/**
 * An approved charge, or request for a mandate, also has its state. If it is missing, the state is not known. An
 * approved authorization or charge has what has happened in its disputes.
 */
export type InquiryOutcome =
  | (Outcome & { readonly charge?: ReportedCharge } & ReportedDisputes)
  | { readonly kind: 'not_found' };

/** What has happened in the disputes of a payment, in order. */
export interface ReportedDisputes {
  readonly disputes?: readonly ReportedDisputeChange[];
  /** The acquirer says more about them, which cannot be read. */
  readonly areDisputesCut?: true;
}

/** The same as a notification about a dispute. */
export interface ReportedDisputeChange {
  readonly state: 'requested' | 'dispute' | 'won' | 'lost';
  readonly amount_centavos: number;
  /** When it happened (merchant's time). */
  readonly occurredAt: Date;
  readonly dispute: DisputeNotice;
}

/**
 * What has become of a charge that the acquirer has accepted, or of a request for a mandate. `unreadable`: the acquirer
 * says something else, so the charge may be paid.
 */
export type ReportedCharge = { readonly state: 'open' } | { readonly state: 'unreadable' } | EndedCharge;

export interface EndedCharge {
  /** `authorized`: the payer has authorized a mandate without a charge. */
  readonly state: 'paid' | 'authorized' | 'refused' | 'expired' | 'canceled';
  readonly amount_centavos: number;
  /** Why a charge was refused; null otherwise. */
  readonly refusal: PaymentRefusal | null;
  /** The id of the transfer that paid a charge; null otherwise. */
  readonly endToEndId: string | null;
  readonly occurredAt: Date;
  /** Set for a mandate that was authorized; absent if the acquirer says nothing about it. */
  readonly mandate?: MandateNotice;
}

import type { Address } from '../domain/contact.ts';
import type { PaymentMethod } from '../domain/merchants/payment-methods.ts';
import type { OperationKind } from '../domain/payments/payment-operation.ts';
import type { BillingInterval } from '../domain/products/billing-interval.ts';

/** Everything that an acquirer can be asked to do. */
export type AcquirerCommand =
  | PaymentCommand
  | RequestNetworkToken
  | ReadWalletToken
  | RequestWalletCredential
  | SubmitEvidence;

/** The commands about a payment. Their kinds are those of the operations that we record. */
export type PaymentCommand = CreationCommand | PaymentModification;

/** The commands that create a payment at the acquirer. */
export type CreationCommand =
  | AuthorizeCard
  | AuthorizeToken
  | AuthorizeWallet
  | AuthorizeCredential
  | CreatePixCharge
  | RegisterBankSlip
  | RequestMandate
  | ChargeMandate;

/** Every kind of operation is a command, and every command of a payment is an operation. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
true satisfies Same<PaymentCommand['kind'], OperationKind>;

/** The command of one kind. */
export type CommandOf<K extends AcquirerCommand['kind']> = Extract<AcquirerCommand, { readonly kind: K }>;

/** The fields of every command. */
interface CommandBase {
  /** Our own, unique reference of this operation, 26–35 characters `[a-z0-9]`. The first two give the slot. */
  readonly reference: string;
  /** The merchant at the acquirer: our merchant id. */
  readonly account: string;
  /** The merchant's time of the request. */
  readonly requestedAt: Date;
}

/** The fields of every command for a new payment. */
export interface CreationFields extends CommandBase {
  readonly method: PaymentMethod;
  readonly amount_centavos: number;
  readonly customer: AcquirerCustomer;
}

interface Authorize extends CreationFields {
  readonly kind: 'authorize';
  /** Authorize and capture in one step. */
  readonly capture: boolean;
  readonly installments: number;
  readonly mcc: string;
  readonly statementDescriptor: string | null;
  /** How the card is used, such as `card_on_file`. Null if the merchant did not say. */
  readonly processingModel: string | null;
}

/** Authorizes a card in a wallet. */
export interface AuthorizeWallet extends Authorize {
  /** The token, unmodified. */
  readonly walletToken: string;
  /** Whether the approval brings a credential by which the card in the wallet is charged again. */
  readonly storesCredential: boolean;
}

/** Authorizes the card in a wallet again, without the buyer. */
export interface AuthorizeCredential extends Authorize {
  readonly storedCredential: string;
}

export interface AuthorizeCard extends Authorize {
  readonly card: {
    readonly number: string;
    readonly holder: string;
    readonly expMonth: string;
    readonly expYear: string;
    /** Present for the first authorization only. */
    readonly securityCode: string | null;
    /** Our id of the card. Scripts of the sandbox are selected by it. */
    readonly cardId: string;
  };
}

/**
 * Authorizes a stored card by the token of its network, which stays valid when the issuer renews or replaces the card.
 */
export interface AuthorizeToken extends Authorize {
  readonly networkToken: string;
  /** Our id of the card. */
  readonly cardId: string;
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

export interface RegisterBankSlip extends CreationFields {
  readonly kind: 'bank_slip_charge';
  /** `YYYY-MM-DD`. */
  readonly dueDate: string;
  readonly payer: {
    readonly name: string;
    /** CPF or CNPJ. */
    readonly document: string;
    readonly address: Address;
  };
}

/** What a payer agrees to in a mandate of Pix Automático. */
export interface MandateFields {
  readonly interval: BillingInterval;
  /** The day of the first charge that the mandate pays, `YYYY-MM-DD`. */
  readonly firstChargeOn: string;
  /** Every charge has exactly this amount. Null if the amount varies. */
  readonly recurringAmount_centavos: number | null;
  /** No charge is lower. Null if there is no minimum. Never set together with the fixed amount. */
  readonly minAmount_centavos: number | null;
  /** Whether a refused charge may be retried after its due date. */
  readonly allowsRetries: boolean;
  /** What the payer sees of each charge, at most 35 characters. */
  readonly statement: string | null;
}

/**
 * Asks for a mandate of Pix Automático, which the payer authorizes by a QR code. With an amount, the payer authorizes
 * it by paying a first charge (journey 3); with the amount 0, without paying (journey 2).
 */
export interface RequestMandate extends CreationFields {
  readonly kind: 'mandate';
  /** The txid of the first charge; null without one. */
  readonly txid: string | null;
  /** Until when the QR code can be used. */
  readonly expiresAt: Date;
  readonly mandate: MandateFields;
}

/** Sends a charge to the payer's bank, which pays it on the due date. */
export interface ChargeMandate extends CreationFields {
  readonly kind: 'mandate_charge';
  /** The reference of the command that asked for the mandate. */
  readonly mandateReference: string;
  readonly txid: string;
  /** `YYYY-MM-DD`. */
  readonly dueDate: string;
}

/**
 * A capture, a refund, a cancellation (the release of an authorization, or the withdrawal of an open charge), or the
 * end of a mandate.
 */
export type PaymentModification =
  | Modification<'capture'>
  | Modification<'cancel'>
  | Modification<'refund'>
  | Modification<'cancel_mandate'>;

interface Modification<K extends OperationKind> extends CommandBase {
  readonly kind: K;
  /** The method of the payment. */
  readonly method: PaymentMethod;
  /** The reference of the authorization or charge; of the request for the mandate for `cancel_mandate`. */
  readonly paymentReference: string;
  /** The amount of the operation. A cancellation always has the whole amount. */
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

/** Asks what a wallet token contains, before there is a payment. It changes nothing. */
export interface ReadWalletToken extends CommandBase {
  readonly kind: 'wallet_token';
  readonly walletToken: string;
}

/**
 * Asks for a credential by which the card in a wallet is charged later. The issuer verifies the card by an
 * authorization of 0, so that no money moves.
 */
export interface RequestWalletCredential extends CommandBase {
  readonly kind: 'wallet_credential';
  /** The token, unmodified. */
  readonly walletToken: string;
}

/** Sends evidence against the open dispute of a payment. */
export interface SubmitEvidence extends CommandBase {
  readonly kind: 'dispute_evidence';
  /** The reference of the authorization or charge. */
  readonly paymentReference: string;
  /** The acquirer's id of the dispute; null if it named none. */
  readonly disputeReference: string | null;
  readonly text: string;
}

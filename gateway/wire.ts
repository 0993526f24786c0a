import type { PaymentMethod } from '../domain/merchants/payment-methods.ts';
/**
 * The protocol between the service and an acquirer: JSON over HTTP, signed (`signature.ts`). Amounts are integer
 * centavos.
 *
 * `http-acquirer.ts` writes the requests. The answer to an operation on a payment, and to an inquiry about one, is a
 * `WireAnswer`: it names the operation, the payment method and the amount. If one of them is missing, the outcome is
 * unknown, and the service asks again. An inquiry can also be answered with `{"status": "not_found"}`. One about a
 * charge or a request for a mandate is also answered with what has become of it (`wire-charge.ts`), and one about an
 * authorization or a charge with what has happened in the disputes of the payment (`wire-disputes.ts`), because
 * notifications can be lost. The answer to a request for a network token or for the credential of a wallet, and to
 * evidence against a dispute or an inquiry about it, is a `WireOutcome`.
 *
 * The acquirer posts notifications to `/gateway/notifications`. The service answers
 *
 * - 204 if it has applied the notification, had received it before, or has stored it as a discrepancy: its method,
 *   operation or amount is missing or does not fit the payment, or the payment does not allow the change
 * - 401 if it is not signed or malformed
 * - 404 if the reference is unknown
 * - 409 if an earlier notification is missing, or another charge of the same billing cycle has no outcome yet
 * - 503 if it could not process it
 *
 * `card-update.ts` describes the notification about the card of a network token.
 *
 * After a 409 or 503, and without an answer, the acquirer sends the notification again: at least every few minutes, and
 * for at least two hours.
 */

import { CARD_BRANDS, type CardBrand } from '../domain/cards/card-number.ts';
import { NOTIFICATION_TYPES, type NotificationType } from '../domain/payments/acquirer-notification.ts';
import { OPERATION_KINDS, type OperationKind } from '../domain/payments/payment-operation.ts';
import type { PaymentRefusal } from '../domain/payments/refusal-reasons.ts';
import type {
  AcquirerNotification,
  ApprovalDetails,
  CredentialOutcome,
  EvidenceInquiryOutcome,
  EvidenceOutcome,
  InquiryOutcome,
  OutcomeSubject,
  TokenOutcome,
  WalletTokenOutcome,
} from './acquirer.ts';
import { readCharge, type WireCharge } from './wire-charge.ts';
import { readDispute, readDisputes, type WireDispute, type WireDisputeChange } from './wire-disputes.ts';
import {
  type Fields,
  isAmount,
  isMethod,
  isObject,
  isText,
  readMandate,
  readRefusal,
  type WireMandate,
} from './wire-values.ts';

export type { WireMandate };

/** The outcome of an operation. */
export type WireOutcome =
  | ({ status: 'approved'; acquirer_reference: string } & WireApproval)
  | { status: 'refused'; refusal: PaymentRefusal }
  | { status: 'pending'; acquirer_reference: string };

/**
 * The data that approvals contain, and the names of the fields in `ApprovalDetails`. Each kind of operation has some of
 * them.
 */
const APPROVAL_FIELDS = {
  authorization_code: 'authorizationCode',
  location: 'location',
  recurrence_location: 'recurrenceLocation',
  receiver_name: 'receiverName',
  receiver_city: 'receiverCity',
  barcode: 'barcode',
  stored_credential: 'storedCredential',
} as const satisfies Record<string, keyof ApprovalDetails>;

export type WireApproval = { [Field in keyof typeof APPROVAL_FIELDS | 'network_token']?: string };

/** What an answer is about. */
export interface WireSubject {
  operation: WireOperation;
  method: PaymentMethod;
  amount_centavos: number;
}

/** The answer to an inquiry about an approved charge, or request for a mandate, also has its state. */
export type WireAnswer = WireOutcome &
  WireSubject & {
    charge?: WireCharge;
    /** What has happened in the disputes of a payment that was approved, in order. */
    disputes?: WireDisputeChange[];
  };

/** The name of an operation. Only `authorize` has another one here. */
export type WireOperation = Exclude<OperationKind, 'authorize'> | 'authorization';

export interface WireNotification {
  /** Unique. Another notification with the same id is stored as a discrepancy. */
  id: string;
  account: string;
  reference: string;
  type: NotificationType;
  /** If it is null or missing, the notification is stored as a discrepancy. */
  method?: PaymentMethod | null;
  /** All notifications about one payment of a boleto have the same time: another time is a second payment. */
  occurred_at: string;
  refusal: PaymentRefusal | null;
  /** If it is null or missing, the notification is stored as a discrepancy. */
  amount_centavos?: number | null;
  end_to_end_id: string | null;
  /** Set in `chargeback.*`. */
  dispute?: WireDispute | null;
  /** Set in `mandate.*`, and in the `pix_recurring.paid` that authorized a mandate. */
  mandate?: WireMandate | null;
}

/** The outcome in an answer about a payment. Null if the answer is malformed. */
export function readOutcome(value: unknown): InquiryOutcome | null {
  if (!isObject(value)) return null;
  if (value.status === 'not_found') return { kind: 'not_found' };
  const subject = readSubject(value);
  if (subject === null) return null;
  const unapproved = readRefusedOrPending(value);
  if (unapproved !== null) return { ...unapproved, ...subject };
  if (value.status !== 'approved' || !isText(value.acquirer_reference)) return null;
  const charge = readCharge(value.charge);
  return {
    kind: 'approved',
    acquirerReference: value.acquirer_reference,
    ...subject,
    ...readApproval(value),
    ...(charge && { charge }),
    ...readDisputes(value.disputes),
  };
}

function readApproval(value: Fields): ApprovalDetails {
  const read = Object.entries(APPROVAL_FIELDS).filter(([field]) => isText(value[field]));
  return Object.fromEntries(read.map(([field, name]) => [name, value[field]]));
}

/** The outcome in an answer to a request for a network token. Null if the answer is malformed. */
export function readTokenOutcome(value: unknown): TokenOutcome | null {
  if (!isObject(value)) return null;
  const { status, acquirer_reference, network_token } = value;
  if (status !== 'approved') return readRefusedOrPending(value);
  if (!isText(acquirer_reference) || !isText(network_token)) return null;
  return { kind: 'approved', acquirerReference: acquirer_reference, networkToken: network_token };
}

/** The outcome in an answer to a request for the credential of a wallet. Null if the answer is malformed. */
export function readCredentialOutcome(value: unknown): CredentialOutcome | null {
  if (!isObject(value)) return null;
  const { status, acquirer_reference, stored_credential } = value;
  if (status !== 'approved') return readRefusedOrPending(value);
  if (!isText(acquirer_reference) || !isText(stored_credential)) return null;
  return { kind: 'approved', acquirerReference: acquirer_reference, storedCredential: stored_credential };
}

/** The answer to a request to read a wallet token. `brand` is null for a brand that is not accepted. */
export type WireWalletToken =
  | {
      status: 'valid';
      token_id: string;
      expires_at: Date;
      domain_name: string;
      wallet: string;
      brand: CardBrand | null;
      last_4: string;
    }
  | { status: 'invalid' };

/** What a wallet token contains. Null if the answer is malformed. */
export function readWalletTokenOutcome(value: unknown): WalletTokenOutcome | null {
  if (!isObject(value)) return null;
  const { status, token_id, expires_at, domain_name, wallet, brand, last_4 } = value;
  if (status === 'invalid') return { kind: 'invalid' };
  if (status !== 'valid' || !isText(token_id) || token_id.length > 100) return null;
  if (!isText(domain_name) || !isText(wallet) || !isText(last_4)) return null;
  const expiresAt = new Date(isText(expires_at) ? expires_at : Number.NaN);
  if (Number.isNaN(expiresAt.getTime())) return null;
  const known = CARD_BRANDS.find((name) => name === brand) ?? null;
  return {
    kind: 'valid',
    tokenId: token_id,
    expiresAt,
    domainName: domain_name,
    wallet,
    brand: known,
    last4: last_4,
  };
}

/** The outcome in an answer to evidence against a dispute. Null if the answer is malformed. */
export function readEvidenceOutcome(value: unknown): EvidenceOutcome | null {
  if (!isObject(value)) return null;
  const { status, acquirer_reference } = value;
  if (status !== 'approved') return readRefusedOrPending(value);
  return isText(acquirer_reference) ? { kind: 'approved', acquirerReference: acquirer_reference } : null;
}

/** The same in an answer to an inquiry about it. */
export function readEvidenceInquiry(value: unknown): EvidenceInquiryOutcome | null {
  if (isObject(value) && value.status === 'not_found') return { kind: 'not_found' };
  return readEvidenceOutcome(value);
}

function readRefusedOrPending(value: Fields) {
  if (value.status === 'refused') {
    const refusal = readRefusal(value.refusal);
    return refusal && { kind: 'refused' as const, refusal };
  }
  if (value.status !== 'pending' || !isText(value.acquirer_reference)) return null;
  return { kind: 'pending' as const, acquirerReference: value.acquirer_reference };
}

function readSubject({ operation, method, amount_centavos }: Fields): OutcomeSubject | null {
  const kind = OPERATION_KINDS.find((one) => wireOperation(one) === operation);
  if (kind === undefined || !isMethod(method) || !isAmount(amount_centavos)) return null;
  return { operation: kind, method, amount_centavos };
}

function wireOperation(kind: OperationKind): WireOperation {
  return kind === 'authorize' ? 'authorization' : kind;
}

/** The notification in a body. Null if a field is missing or malformed. */
export function readWireNotification(value: unknown): AcquirerNotification | null {
  if (!isObject(value)) return null;
  const { id, account, reference, type, end_to_end_id } = value;
  const { amount_centavos = null, method = null } = value;
  const occurredAt = new Date(isText(value.occurred_at) ? value.occurred_at : Number.NaN);
  const refusal = value.refusal === null ? null : readRefusal(value.refusal);
  if (!isText(id) || !isText(account) || !isText(reference)) return null;
  if (!NOTIFICATION_TYPES.includes(type as NotificationType)) return null;
  if (Number.isNaN(occurredAt.getTime()) || (refusal === null && value.refusal !== null)) return null;
  if (amount_centavos !== null && !isAmount(amount_centavos)) return null;
  if (method !== null && !isMethod(method)) return null;
  if (end_to_end_id !== null && !isText(end_to_end_id)) return null;
  return {
    id,
    account,
    reference,
    type: type as NotificationType,
    method,
    occurredAt,
    refusal,
    amount_centavos,
    endToEndId: end_to_end_id,
    ...(isObject(value.dispute) && { dispute: readDispute(value.dispute) }),
    ...(isObject(value.mandate) && { mandate: readMandate(value.mandate) }),
  };
}

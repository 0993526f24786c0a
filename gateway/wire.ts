/**
 * The wire between the service and an acquirer: JSON over HTTP, signed (`signature.ts`). Amounts are integer centavos.
 *
 * Requests are written by `http-acquirer.ts`. The answer to an operation on a payment, and to an inquiry about one, is a
 * `WireAnswer`, or `{"status": "not_found"}` for an inquiry. It names the operation, the payment method and the amount
 * that it is about. An answer that leaves one of them out is no answer: the outcome is unknown, and is asked for again.
 * The answer to a network token is a `WireOutcome`.
 *
 * The acquirer posts notifications to `/gateway/notifications`. The service answers 204 to what it has applied, known
 * or kept as a discrepancy, 404 to an unknown reference, 401 to what is not signed or malformed, 409 to what arrives
 * before the things that it builds on, and 503 when it failed. What is answered 409 or 503 is sent again, at least every
 * few minutes. A notification whose method, operation, amount or move does not fit the payment is kept as a discrepancy
 * and changes nothing.
 */

import { PAYMENT_METHODS, type PaymentMethod } from '../domain/merchants/merchant.ts';
import { NOTIFICATION_TYPES, type NotificationType } from '../domain/payments/acquirer-notification.ts';
import type { OperationKind } from '../domain/payments/payment-operation.ts';
import type { PaymentRefusal } from '../domain/payments/refusal-reasons.ts';
import { isStorableText } from '../domain/text.ts';
import type {
  AcquirerNotification,
  ApprovalDetails,
  InquiryOutcome,
  OutcomeSubject,
  TokenOutcome,
} from './acquirer.ts';

/** The outcome of an operation. */
export type WireOutcome =
  | ({ status: 'approved'; acquirer_reference: string } & WireApproval)
  | { status: 'refused'; refusal: PaymentRefusal }
  | { status: 'pending'; acquirer_reference: string };

/** What approvals bring, and its names in `ApprovalDetails`. Each kind of operation has some of these fields. */
const APPROVAL_FIELDS = {
  authorization_code: 'authorizationCode',
  location: 'location',
  receiver_name: 'receiverName',
  receiver_city: 'receiverCity',
} as const satisfies Record<string, keyof ApprovalDetails>;

export type WireApproval = { [Field in keyof typeof APPROVAL_FIELDS | 'network_token']?: string };

/** What an answer is about. */
export interface WireSubject {
  operation: WireOperation;
  method: PaymentMethod;
  amount_centavos: number;
}

export type WireAnswer = WireOutcome & WireSubject;

const OPERATIONS = {
  authorization: 'authorize',
  pix_charge: 'pix_charge',
  capture: 'capture',
  cancel: 'cancel',
  refund: 'refund',
} as const satisfies Record<string, OperationKind>;

export type WireOperation = keyof typeof OPERATIONS;

export interface WireNotification {
  /** Unique: another notification with the same id is kept as a discrepancy. */
  id: string;
  account: string;
  reference: string;
  type: NotificationType;
  /** Null or left out: the type alone limits the methods. */
  method?: PaymentMethod | null;
  occurred_at: string;
  refusal: PaymentRefusal | null;
  /** Null or left out: the notification is kept as a discrepancy. */
  amount_centavos?: number | null;
  end_to_end_id: string | null;
}

type Fields = Record<string, unknown>;

/** The outcome in an answer about a payment, or null when the answer is not one. */
export function readOutcome(value: unknown): InquiryOutcome | null {
  if (!isObject(value)) return null;
  if (value.status === 'not_found') return { kind: 'not_found' };
  const subject = readSubject(value);
  if (subject === null) return null;
  const unapproved = readRefusedOrPending(value);
  if (unapproved !== null) return { ...unapproved, ...subject };
  if (value.status !== 'approved' || !isText(value.acquirer_reference)) return null;
  return {
    kind: 'approved',
    acquirerReference: value.acquirer_reference,
    ...subject,
    ...readApproval(value),
  };
}

function readApproval(value: Fields): ApprovalDetails {
  const read = Object.entries(APPROVAL_FIELDS).filter(([field]) => isText(value[field]));
  return Object.fromEntries(read.map(([field, name]) => [name, value[field]]));
}

/** The outcome in an answer to the request of a network token, or null when the answer is not one. */
export function readTokenOutcome(value: unknown): TokenOutcome | null {
  if (!isObject(value)) return null;
  const { status, acquirer_reference, network_token } = value;
  if (status !== 'approved') return readRefusedOrPending(value);
  if (!isText(acquirer_reference) || !isText(network_token)) return null;
  return { kind: 'approved', acquirerReference: acquirer_reference, networkToken: network_token };
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
  if (!isText(operation) || !Object.hasOwn(OPERATIONS, operation)) return null;
  if (!isMethod(method) || !isAmount(amount_centavos)) return null;
  return { operation: OPERATIONS[operation as WireOperation], method, amount_centavos };
}

/** The notification in a body, or null when a field is missing or of another shape. */
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
  };
}

function readRefusal(value: unknown): PaymentRefusal | null {
  if (!isObject(value) || typeof value.retryable !== 'boolean') return null;
  if (!isText(value.code) || !isText(value.message)) return null;
  return { code: value.code, message: value.message, retryable: value.retryable };
}

/** Whether a parsed JSON value is an object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 300 && isStorableText(value);
}

function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isMethod(value: unknown): value is PaymentMethod {
  return PAYMENT_METHODS.includes(value as PaymentMethod);
}

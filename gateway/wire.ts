import type { PaymentRefusal } from '../domain/refusal-reasons.ts';
import { isStorableText } from '../domain/text.ts';
import {
  type AcquirerNotification,
  type InquiryOutcome,
  NOTIFICATION_TYPES,
  type NotificationType,
} from './acquirer.ts';

/** The acquirer's wire form of an outcome and of a notification. Requests are written by `http-acquirer.ts`. */
export type WireOutcome =
  | ({ status: 'approved'; acquirer_reference: string } & WireApproval)
  | { status: 'refused'; refusal: PaymentRefusal }
  | { status: 'pending'; acquirer_reference: string };

export interface WireApproval {
  authorization_code?: string;
  location?: string;
  receiver_name?: string;
  receiver_city?: string;
  network_token?: string;
}

export interface WireNotification {
  id: string;
  account: string;
  reference: string;
  type: NotificationType;
  occurred_at: string;
  refusal: PaymentRefusal | null;
  amount_centavos: number | null;
  end_to_end_id: string | null;
}

type Fields = Record<string, unknown>;

/** The outcome that an answer tells, or null when it is not one. */
export function readOutcome(value: unknown): InquiryOutcome | null {
  if (!isObject(value)) return null;
  switch (value.status) {
    case 'approved':
      return isText(value.acquirer_reference) ? approved(value, value.acquirer_reference) : null;
    case 'pending':
      return isText(value.acquirer_reference)
        ? { kind: 'pending', acquirerReference: value.acquirer_reference }
        : null;
    case 'refused': {
      const refusal = readRefusal(value.refusal);
      return refusal ? { kind: 'refused', refusal } : null;
    }
    case 'not_found':
      return { kind: 'not_found' };
    default:
      return null;
  }
}

function approved(value: Fields, acquirerReference: string): InquiryOutcome {
  return {
    kind: 'approved',
    acquirerReference,
    ...(isText(value.authorization_code) && { authorizationCode: value.authorization_code }),
    ...(isText(value.location) && { location: value.location }),
    ...(isText(value.receiver_name) && { receiverName: value.receiver_name }),
    ...(isText(value.receiver_city) && { receiverCity: value.receiver_city }),
    ...(isText(value.network_token) && { networkToken: value.network_token }),
  };
}

/** The notification that a body tells, or null when a field is missing or of another shape. */
export function readWireNotification(value: unknown): AcquirerNotification | null {
  if (!isObject(value)) return null;
  const { id, account, reference, type, amount_centavos, end_to_end_id } = value;
  const occurredAt = new Date(isText(value.occurred_at) ? value.occurred_at : Number.NaN);
  const refusal = value.refusal === null ? null : readRefusal(value.refusal);
  if (!isText(id) || !isText(account) || !isText(reference)) return null;
  if (!NOTIFICATION_TYPES.includes(type as NotificationType)) return null;
  if (Number.isNaN(occurredAt.getTime()) || (refusal === null && value.refusal !== null)) return null;
  if (amount_centavos !== null && !isAmount(amount_centavos)) return null;
  if (end_to_end_id !== null && !isText(end_to_end_id)) return null;
  return {
    id,
    account,
    reference,
    type: type as NotificationType,
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

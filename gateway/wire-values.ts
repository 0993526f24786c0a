import { PAYMENT_METHODS, type PaymentMethod } from '../domain/merchants/payment-methods.ts';
import type { MandateNotice } from '../domain/payments/methods/mandate-updates.ts';
import type { PaymentRefusal } from '../domain/payments/refusal-reasons.ts';
import { isStorableText } from '../domain/text.ts';

export type Fields = Record<string, unknown>;

/** The refusal in a message. Null if it is malformed. */
export function readRefusal(value: unknown): PaymentRefusal | null {
  if (!isObject(value) || typeof value.retryable !== 'boolean') return null;
  if (!isText(value.code) || !isText(value.message)) return null;
  return { code: value.code, message: value.message, retryable: value.retryable };
}

/** Whether a parsed JSON value is an object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 300 && isStorableText(value);
}

export function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isMethod(value: unknown): value is PaymentMethod {
  return PAYMENT_METHODS.includes(value as PaymentMethod);
}

export interface WireMandate {
  /** The id of the mandate in Pix (idRec). */
  charge_code?: string | null;
  /** Why it was canceled: a code of Pix Automático, such as `ACCL`. */
  cancellation_code?: string | null;
}

/** What cannot be read is left out. The code of a mandate has 29 characters, that of a reason 4. */
export function readMandate({ charge_code, cancellation_code }: Fields): MandateNotice {
  const text = (value: unknown, pattern: RegExp) => (isText(value) && pattern.test(value) ? value : null);
  return {
    chargeCode: text(charge_code, /^[A-Za-z0-9]{1,40}$/),
    cancellationCode: text(cancellation_code, /^[A-Z0-9]{4}$/),
  };
}

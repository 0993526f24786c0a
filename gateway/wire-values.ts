import { PAYMENT_METHODS, type PaymentMethod } from '../domain/merchants/payment-methods.ts';
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

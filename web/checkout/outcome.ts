// Also runs in the browser.
import type { components } from '../../generated/types.ts';
import { fieldOfPath } from './form-body.ts';

type Made = components['schemas']['CheckoutPayment'] | components['schemas']['CheckoutSubscription'];

/** The buyer can send the same again, with the same key. `network`: nobody knows whether the payment was made. */
const REPEATED = ['network', 'unavailable', 'tooMany', 'tooManyCards', 'tooManyUnpaid'] as const;
type Repeated = (typeof REPEATED)[number];

/** What the answer to a payment, or to the start of a subscription, means for the buyer. */
export type Outcome =
  | { readonly kind: 'made'; readonly made: Made }
  /** Nothing can be paid any more. `fields`: of the refusal of a payment; absent if the page is not found. */
  | { readonly kind: 'closed'; readonly fields?: readonly string[] }
  /** Of the form, by id. */
  | { readonly kind: 'fields'; readonly fields: readonly string[] }
  | { readonly kind: 'sendAgain' | 'sentBefore' | 'subscribed' }
  | { readonly kind: Repeated };

interface RefusalBody {
  readonly error?: { readonly code: string };
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

const LONG_WAIT_S = 120;

/**
 * An answer whose `body` is not an object is not of the service. `retryAfter_s`: not a number if the answer has none.
 */
export function outcomeOf(status: number, body: unknown, retryAfter_s: number): Outcome {
  if (typeof body !== 'object' || body === null) return { kind: 'network' };
  if (status === 201) return { kind: 'made', made: body as Made };
  if (status === 403 || status === 404) return { kind: 'closed' };
  if (status === 400) return { kind: 'sendAgain' };
  const { error, errors = {} }: RefusalBody = body;
  if (status === 429) {
    if (error?.code === 'too_many_unpaid_charges') return { kind: 'tooManyUnpaid' };
    return { kind: retryAfter_s > LONG_WAIT_S ? 'tooManyCards' : 'tooMany' };
  }
  // Every other refusal of this kind can come after the charge.
  if (status !== 422) return { kind: error?.code === 'overloaded' ? 'unavailable' : 'network' };
  if (error?.code === 'idempotency_key_reused') return { kind: 'sentBefore' };
  const fields = Object.keys(errors).map(fieldOfPath);
  if (fields.includes('status')) return { kind: 'closed', fields };
  if (fields.includes('customer')) return { kind: 'subscribed' };
  return fields.length === 0 ? { kind: 'sendAgain' } : { kind: 'fields', fields };
}

export function isRepeated(kind: Outcome['kind']): kind is Repeated {
  return REPEATED.some((each) => each === kind);
}

const KINDS_AFTER_KEY = ['made', 'sentBefore', 'sendAgain', 'subscribed', 'tooManyCards', 'tooManyUnpaid'];
/** The page sends them as it got them, or checked, so that they can only be wrong for what is sold now. */
const FIELDS_AFTER_KEY = ['status', 'terms', 'amount', 'total_amount', 'payment_method', 'installments'];

/**
 * Whether the server gives this answer only after it has looked at the key. It then says what became of the payment,
 * also if an earlier answer was lost. The server decrypts a card, too, only after that.
 */
export function isAfterKey(outcome: Outcome): boolean {
  if (KINDS_AFTER_KEY.includes(outcome.kind)) return true;
  const fields = 'fields' in outcome ? (outcome.fields ?? []) : [];
  return fields.some((field) => FIELDS_AFTER_KEY.includes(field) || field.startsWith('card-'));
}

/** `amount`: the fixed price; null if the buyer types it. */
export function isPriceChanged(fields: readonly string[], amount: number | null): boolean {
  return fields.includes('total_amount') || (amount !== null && fields.includes('amount'));
}

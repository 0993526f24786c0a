import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { components } from '../../generated/types.ts';
import { type FormRules, type FormValues, fieldOfPath, paymentBody, subscriptionBody } from './form-body.ts';
import type { CheckoutPayment } from './methods/method.ts';
import type { Checkout } from './page-frame.ts';
import type { Words } from './words/words.ts';

/** Runs an operation for the reader of a page, whose request it is. */
export type CallOperation = (
  request: Request,
  response: Response,
  call: {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly body?: object;
    readonly headers?: Readonly<Record<string, string>>;
  },
) => Promise<OperationAnswer>;

interface OperationAnswer {
  readonly status: number;
  readonly body: unknown;
  /** Seconds, as in `Retry-After`; present if the request can be repeated. */
  readonly retryAfter?: string | undefined;
}

export type CheckoutSubscription = components['schemas']['CheckoutSubscription'];

/** Why there is nothing to show. */
export type Missing = 'unknown' | 'tooMany' | 'down';

/** A page of a link or an offer. */
export function readCheckout(call: CallOperation, request: Request, response: Response, hash: string) {
  return read<Checkout>(call, request, response, `/checkout/${encodeURIComponent(hash)}`);
}

export function readPayment(call: CallOperation, request: Request, response: Response, hash: string) {
  return read<CheckoutPayment>(call, request, response, `/checkout/payments/${encodeURIComponent(hash)}`);
}

export function readSubscription(call: CallOperation, request: Request, response: Response, hash: string) {
  return read<CheckoutSubscription>(
    call,
    request,
    response,
    `/checkout/subscriptions/${encodeURIComponent(hash)}`,
  );
}

async function read<Body>(
  call: CallOperation,
  request: Request,
  response: Response,
  path: string,
): Promise<Body | Missing> {
  const { status, body, retryAfter } = await call(request, response, { method: 'GET', path });
  if (status === 200) return body as Body;
  if (status === 404 || status === 422) return 'unknown';
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  return status === 429 ? 'tooMany' : 'down';
}

export type Made =
  /** `path`: of the page of the payment or the subscription. */
  | { readonly kind: 'made'; readonly path: string }
  /** Nothing can be paid any more. */
  | { readonly kind: 'closed' }
  /** The buyer has to change something. Another try needs another key. */
  | { readonly kind: 'refused'; readonly failure: keyof Words['failures']; readonly wrong: readonly string[] }
  /** The buyer can send the same again, under the same key. */
  | { readonly kind: 'failed'; readonly failure: keyof Words['failures'] };

export interface FormPayment {
  readonly checkout: Checkout;
  /** The fixed price that the buyer has seen; null if the form has none. */
  readonly price: number | null;
  /** The terms of the subscription that the buyer has seen; empty if the form has none. */
  readonly terms: string;
  readonly values: FormValues;
  /** Idempotency key. */
  readonly key: string;
}

/** A second click is answered with 409 while the first is in progress. It then gets the answer of the first. */
const IN_PROGRESS_POLL_MS = 250;
const IN_PROGRESS_POLLS = 40;

/** Makes the payment of a form, or starts its subscription. */
export async function makePayment(
  call: CallOperation,
  request: Request,
  response: Response,
  { checkout, price, terms, values, key }: FormPayment,
  language: FormRules['language'],
): Promise<Made> {
  const isSubscription = checkout.recurrence !== null;
  const path = `/checkout/${checkout.hash}/${isSubscription ? 'subscriptions' : 'payments'}`;
  const amount = checkout.amount === null ? null : (price ?? checkout.amount);
  const rules = { ...checkout, amount, language };
  const body = isSubscription ? subscriptionBody(values, rules, terms) : paymentBody(values, rules);
  const send = () =>
    call(request, response, { method: 'POST', path, body, headers: { 'idempotency-key': key } });
  let answer = await send();
  for (let polls = 0; answer.status === 409 && polls < IN_PROGRESS_POLLS && !response.destroyed; polls += 1) {
    await pause(IN_PROGRESS_POLL_MS);
    answer = await send();
  }
  return madeOf(checkout, answer);
}

interface RefusalBody {
  readonly error?: { readonly code: string };
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

function madeOf(checkout: Checkout, { status, body }: OperationAnswer): Made {
  if (status === 201) {
    const { hash } = body as CheckoutPayment | CheckoutSubscription;
    return { kind: 'made', path: `${checkout.recurrence === null ? '/p' : '/a'}/${hash}` };
  }
  if (status === 403 || status === 404) return { kind: 'closed' };
  if (status === 429) {
    const isUnpaid = (body as RefusalBody).error?.code === 'too_many_unpaid_charges';
    return { kind: 'failed', failure: isUnpaid ? 'tooManyUnpaid' : 'tooMany' };
  }
  if (status !== 422) {
    // Every other refusal of this kind can come after the charge.
    const isOverloaded = (body as RefusalBody).error?.code === 'overloaded';
    return { kind: 'failed', failure: isOverloaded ? 'unavailable' : 'network' };
  }
  if ((body as RefusalBody).error?.code === 'idempotency_key_reused')
    return { kind: 'refused', failure: 'sentBefore', wrong: [] };
  const wrong = Object.keys((body as RefusalBody).errors ?? {}).map(fieldOfPath);
  if (wrong.includes('status')) return { kind: 'closed' };
  if (wrong.length === 0) return { kind: 'refused', failure: 'sendAgain', wrong };
  if (wrong.includes('customer')) return { kind: 'refused', failure: 'subscribed', wrong: [] };
  const hasNewPrice = wrong.includes('terms') || (checkout.amount !== null && wrong.includes('amount'));
  return { kind: 'refused', failure: hasNewPrice ? 'priceChanged' : 'fields', wrong };
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { components } from '../../generated/types.ts';
import { type FormRules, type FormValues, paymentBody, subscriptionBody } from './form-body.ts';
import { NEEDS } from './methods/index.ts';
import type { CheckoutPayment } from './methods/method.ts';
import { isPriceChanged, isRepeated, type Outcome, outcomeOf } from './outcome.ts';
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
type Missing = 'unknown' | 'tooMany' | 'down';

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
  readonly language: FormRules['language'];
}

/** A second click is answered with 409 while the first is in progress. It then gets the answer of the first. */
const IN_PROGRESS_POLL_MS = 250;
const IN_PROGRESS_POLLS = 40;

/** Makes the payment of a form, or starts its subscription. */
export async function makePayment(
  call: CallOperation,
  request: Request,
  response: Response,
  { checkout, price, terms, values, key, language }: FormPayment,
): Promise<Made> {
  const isSubscription = checkout.recurrence !== null;
  const path = `/checkout/${checkout.hash}/${isSubscription ? 'subscriptions' : 'payments'}`;
  const isFixed = checkout.amount !== null;
  // The amount that the buyer has seen or typed, which the service compares with the price.
  const rules = { ...checkout, amount: isFixed ? price : null, language, needs: NEEDS };
  const body = isSubscription ? subscriptionBody(values, rules, terms) : paymentBody(values, rules);
  if (isFixed && !isSubscription && !('amount' in body))
    return { kind: 'refused', failure: 'priceChanged', wrong: [] };
  const send = () =>
    call(request, response, { method: 'POST', path, body, headers: { 'idempotency-key': key } });
  let answer = await send();
  for (let polls = 0; answer.status === 409 && polls < IN_PROGRESS_POLLS && !response.destroyed; polls += 1) {
    await pause(IN_PROGRESS_POLL_MS);
    answer = await send();
  }
  return madeOf(checkout, outcomeOf(answer.status, answer.body, Number(answer.retryAfter)));
}

function madeOf({ recurrence, amount }: Checkout, outcome: Outcome): Made {
  switch (outcome.kind) {
    case 'made':
      return { kind: 'made', path: `${recurrence === null ? '/p' : '/a'}/${outcome.made.hash}` };
    case 'closed':
      return { kind: 'closed' };
    case 'fields': {
      const { fields } = outcome;
      const hasNewPrice = fields.includes('terms') || isPriceChanged(fields, amount);
      return { kind: 'refused', failure: hasNewPrice ? 'priceChanged' : 'fields', wrong: fields };
    }
    default:
      return isRepeated(outcome.kind)
        ? { kind: 'failed', failure: outcome.kind }
        : { kind: 'refused', failure: outcome.kind, wrong: [] };
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { type FormValues, fieldOfPath, paymentBody } from './form-body.ts';
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
) => Promise<{ readonly status: number; readonly body: unknown }>;

/** Why there is nothing to show. */
export type Missing = 'unknown' | 'tooMany' | 'down';

export async function readCheckout(call: CallOperation, request: Request, response: Response, hash: string) {
  return found<Checkout>(
    await call(request, response, { method: 'GET', path: `/checkout/${encodeURIComponent(hash)}` }),
  );
}

export async function readPayment(call: CallOperation, request: Request, response: Response, hash: string) {
  const path = `/checkout/payments/${encodeURIComponent(hash)}`;
  return found<CheckoutPayment>(await call(request, response, { method: 'GET', path }));
}

function found<Body>({ status, body }: { readonly status: number; readonly body: unknown }): Body | Missing {
  if (status === 200) return body as Body;
  if (status === 404 || status === 422) return 'unknown';
  return status === 429 ? 'tooMany' : 'down';
}

export type Made =
  | { readonly kind: 'made'; readonly payment: CheckoutPayment }
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
  readonly values: FormValues;
  /** Idempotency key. */
  readonly key: string;
}

/** A second click is answered with 409 while the first is in progress. It then gets the answer of the first. */
const IN_PROGRESS_POLL_MS = 250;
const IN_PROGRESS_POLLS = 40;

/** Makes the payment of a form. */
export async function makePayment(
  call: CallOperation,
  request: Request,
  response: Response,
  { checkout, price, values, key }: FormPayment,
): Promise<Made> {
  const path = `/checkout/${checkout.hash}/payments`;
  const body = paymentBody(values, {
    ...checkout,
    amount: checkout.amount === null ? null : (price ?? checkout.amount),
  });
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

function madeOf(
  checkout: Checkout,
  { status, body }: { readonly status: number; readonly body: unknown },
): Made {
  if (status === 201) return { kind: 'made', payment: body as CheckoutPayment };
  if (status === 403 || status === 404) return { kind: 'closed' };
  if (status === 429) {
    const isUnpaid = (body as RefusalBody).error?.code === 'too_many_unpaid_charges';
    return { kind: 'failed', failure: isUnpaid ? 'tooManyUnpaid' : 'tooMany' };
  }
  if (status !== 422) return { kind: 'failed', failure: 'unavailable' };
  const wrong = Object.keys((body as RefusalBody).errors ?? {}).map(fieldOfPath);
  if (wrong.includes('status')) return { kind: 'closed' };
  if (wrong.length === 0) return { kind: 'refused', failure: 'sendAgain', wrong };
  const hasNewPrice = checkout.amount !== null && wrong.includes('amount');
  return { kind: 'refused', failure: hasNewPrice ? 'priceChanged' : 'fields', wrong };
}

import type { KeyObject } from 'node:crypto';
import type { PendingDelivery } from '../../db/webhooks/queue-contents.ts';
import { utcMicros } from '../../domain/local-time.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryError,
  MAX_KEPT_ATTEMPTS,
  PING,
} from '../../domain/webhooks/delivery.ts';
import type { Faults } from '../../domain/webhooks/faults.ts';
import { nextAttemptAt } from '../../domain/webhooks/retry-schedule.ts';
import type { Deps } from '../deps.ts';
import { deliveryRequest } from './delivery-request.ts';
import { type AttemptResult, callWithFaults } from './faulty-calls.ts';
import type { DeliveryChange } from './move-delivery.ts';

/** The current destination of a queue. */
export interface Destination {
  /** The endpoint's address; null if each delivery has its own. */
  readonly url: string | null;
  /** They sign; none: the deliveries are not signed; null: a secret cannot be read, so nothing is sent. */
  readonly keys: readonly KeyObject[] | null;
  /** Pauses after failed attempts. */
  readonly retries_ms: readonly number[];
  readonly faults: Faults;
}

/** A delivery, and its body; undefined for a ping, and if the event was deleted. */
export interface DeliveryToSend {
  readonly delivery: PendingDelivery;
  readonly eventBody: Buffer | undefined;
}

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly at: Date;
  readonly duration_ms: number;
  readonly sentTo: string;
  /** Null: nothing was sent, because the event was deleted. */
  readonly result: AttemptResult | null;
}

const EVENT_DELETED: DeliveryError = { code: 'event_deleted', message: 'The event was deleted.' };
const UNREADABLE_SECRET: AttemptResult = {
  kind: 'failed',
  code: 'secret_unreadable',
  message:
    'The signing secret cannot be read. Rotate it; for a notification URL, ask the operator of the service for another one.',
};

/** Makes one attempt. `ended` is called later, and must not throw. */
export function sendDelivery(
  deps: Deps,
  { delivery, eventBody }: DeliveryToSend,
  { url, keys, faults }: Destination,
  ended: (attempt: EndedAttempt) => void,
): void {
  const body = eventBody ?? pingBody(deps, delivery);
  const at = deps.wall();
  const sentTo = url ?? delivery.url;
  if (body === undefined) {
    queueMicrotask(() => ended({ at, duration_ms: 0, sentTo, result: null }));
    return;
  }
  if (keys === null) {
    queueMicrotask(() => ended({ at, duration_ms: 0, sentTo, result: UNREADABLE_SECRET }));
    return;
  }
  const started = performance.now();
  const call = deliveryRequest({ url: sentTo, id: delivery.id, body, keys, at });
  callWithFaults(deps, call, { faults, attemptsBefore: delivery.attempts.length }, (result) => {
    ended({ at, duration_ms: Math.round(performance.now() - started), sentTo, result });
  });
}

/** The move of a delivery after an attempt. */
export function changeAfter(
  deps: Deps,
  delivery: PendingDelivery,
  { at: attemptedAt, duration_ms, sentTo, result }: EndedAttempt,
  { retries_ms }: Destination,
): DeliveryChange {
  if (result === null)
    return { delivery, move: 'fail', patch: { nextAttemptAt: null, error: EVENT_DELETED } };
  const error = errorOf(result);
  deps.countDeliveryAttempt({ result: error === null ? 'succeeded' : 'failed' });
  const responseStatus = result.kind === 'answer' ? result.status : null;
  const attempt: DeliveryAttempt = { attemptedAt, duration_ms, responseStatus, error };
  const scheduleStep = delivery.scheduleStep + 1;
  const next = error === null ? null : nextAttemptAt(scheduleStep, deps.wall(), retries_ms);
  const patch = {
    url: sentTo,
    error,
    nextAttemptAt: next,
    scheduleStep,
    attempts: [...delivery.attempts, attempt].slice(-MAX_KEPT_ATTEMPTS),
    responseBody: result.kind === 'answer' ? textOf(result.body) : null,
  };
  const failed = next === null ? 'fail' : 'retry';
  return { delivery, move: error === null ? 'succeed' : failed, patch };
}

/** The same body on each attempt, as for an event. Undefined unless the delivery is a ping. */
function pingBody(
  { environment }: Pick<Deps, 'environment'>,
  { id, event, createdAt }: Delivery,
): string | undefined {
  if (event !== PING) return undefined;
  return JSON.stringify({ id, event, created_at: utcMicros(createdAt), environment, data: {} });
}

function errorOf(result: AttemptResult): DeliveryError | null {
  if (result.kind === 'failed') return { code: result.code, message: result.message };
  const { status } = result;
  if (status >= 200 && status <= 299) return null;
  return { code: 'unexpected_status', message: `The answer had the status ${status}.` };
}

/** The receiver's answer as text that Postgres can store, without NUL. */
function textOf(body: Buffer): string {
  return body.toString('utf8').replaceAll('\0', '\uFFFD');
}

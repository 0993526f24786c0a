import { setTimeout as pause } from 'node:timers/promises';
import { deliveryRequest } from '../../services/webhooks/delivery-request.ts';
import type { Outgoing, OutgoingFailure, OutgoingResult } from '../../services/webhooks/outgoing.ts';
import { signingKeys } from '../../services/webhooks/signature.ts';
import type { EventBody } from './event-feed.ts';

export interface Forwarding {
  readonly outgoing: Outgoing;
  /** Where events are sent. */
  readonly url: string;
  readonly secret: string;
  readonly signal: AbortSignal;
  /** Takes a sentence when the server becomes unreachable. */
  readonly report: (sentence: string) => void;
}

export interface Forwarded {
  readonly responseStatus: number | null;
  /** Null if there was an answer. */
  readonly failure: OutgoingFailure | null;
  readonly duration_ms: number;
}

const RETRY_MS = 1_000;
/** A server that closes the connection before it answers may be restarting, or may crash on this event. */
const MAX_CLOSED = 3;

/**
 * Sends an event as a webhook delivery, with the event's id as the id of the delivery. Tries again while the server
 * cannot be reached, but not after an answer, whatever its status. Throws the reason of `signal` when it is aborted.
 */
export async function forwardEvent(event: EventBody, forwarding: Forwarding): Promise<Forwarded> {
  const { outgoing, url, secret, signal, report } = forwarding;
  const body = JSON.stringify(event);
  const keys = signingKeys([secret]);
  let closed = 0;
  for (let attempt = 1; ; attempt++) {
    const startedAt_ms = performance.now();
    const request = deliveryRequest({ url, id: event.id, body, keys, at: new Date() });
    const result = await outgoing.call(request);
    signal.throwIfAborted();
    if (isClosed(result)) closed += 1;
    if (!isUnreachable(result) && !(isClosed(result) && closed < MAX_CLOSED)) {
      return forwardedOf(result, Math.round(performance.now() - startedAt_ms));
    }
    if (attempt === 1) report(`${url} gave no answer (${result.code}). Trying again every second.`);
    await pause(RETRY_MS, undefined, { signal });
  }
}

type Failed = Extract<OutgoingResult, { readonly kind: 'failed' }>;

function isUnreachable(result: OutgoingResult): result is Failed {
  return result.kind === 'failed' && result.code === 'connection_failed';
}

function isClosed(result: OutgoingResult): result is Failed {
  return result.kind === 'failed' && result.code === 'connection_closed';
}

function forwardedOf(result: OutgoingResult, duration_ms: number): Forwarded {
  if (result.kind === 'answer') return { responseStatus: result.status, failure: null, duration_ms };
  const { code, message } = result;
  return { responseStatus: null, failure: { code, message }, duration_ms };
}

import { setTimeout as pause } from 'node:timers/promises';
import type { components } from '../../generated/types.ts';

export type EventBody = components['schemas']['Event'];
type EventPage = components['schemas']['EventPage'];

export interface FeedOptions {
  /** Origin of the service. */
  readonly api: string;
  readonly key: string;
  /** Aborted when the program stops. */
  readonly signal: AbortSignal;
  /** Takes a sentence when the service becomes unreachable, and when it answers again. */
  readonly report: (sentence: string) => void;
}

const WAIT_S = 30;
/** A request that waits for events is answered within this time, if the connection is not lost. */
const TIMEOUT_MS = (WAIT_S + 30) * 1_000;
const RETRY_MS = 1_000;

/*
 * Both functions try again while the service cannot answer. They throw an error if the service refuses the key, and the
 * reason of `signal` when it is aborted.
 */

/** The id of the event after which new ones are read; empty if there is none. */
export async function endOfFeed(options: FeedOptions): Promise<string> {
  const page = await read(options, { per_page: '1' });
  return page?.pagination.next_after ?? '';
}

/** Yields the events after one, oldest first. It skips none, also when the service restarts. */
export async function* eventsAfter(first: string, options: FeedOptions): AsyncGenerator<EventBody> {
  let after = first;
  for (;;) {
    const askedAt_ms = performance.now();
    const page = await read(options, { after, wait: `${WAIT_S}` });
    // A reset of the sandbox has deleted the event. All events that there are now happened after the reset.
    if (page === undefined) after = '';
    else {
      yield* page.data;
      after = page.pagination.next_after ?? after;
      // A busy service answers at once.
      const isEarly = page.data.length === 0 && performance.now() - askedAt_ms < RETRY_MS;
      if (isEarly) await pause(RETRY_MS, undefined, { signal: options.signal });
    }
  }
}

/** Reads a page of events. Returns undefined if there is no event with the id `after`. */
async function read(
  { api, key, signal, report }: FeedOptions,
  query: Readonly<Record<string, string>>,
): Promise<EventPage | undefined> {
  const url = `${api}/api/v1/events?${new URLSearchParams(query)}`;
  let isReported = false;
  for (;;) {
    const result = await ask(url, key, signal);
    signal.throwIfAborted();
    if (result.kind === 'unreachable') {
      if (!isReported) report(`${api} does not answer (${result.why}). Trying again every second.`);
      isReported = true;
      await pause(RETRY_MS, undefined, { signal });
      continue;
    }
    if (isReported) report(`${api} answers again.`);
    if (result.kind === 'page') return result.page;
    if (result.status === 422 && query.after) return undefined;
    throw new Error(`${api} answered with ${result.status}: ${result.message}`);
  }
}

type Result =
  | { readonly kind: 'page'; readonly page: EventPage }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'unreachable'; readonly why: string };

async function ask(url: string, key: string, signal: AbortSignal): Promise<Result> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const { status } = response;
    if (status === 429 || status >= 500) {
      await response.body?.cancel();
      return { kind: 'unreachable', why: `status ${status}` };
    }
    const body = await response.json();
    if (status === 200) return { kind: 'page', page: body as EventPage };
    return { kind: 'refused', status, message: messageOf(body) };
  } catch (error) {
    return { kind: 'unreachable', why: reasonOf(error) };
  }
}

/** The sentence of an error of the API, which has two forms. */
function messageOf(body: unknown): string {
  const { error, message } = body as { error?: { message?: string }; message?: string };
  return error?.message ?? message ?? 'no reason was given.';
}

/** `fetch` throws an error whose cause has the code. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? (name === 'TimeoutError' ? 'timed out' : message);
}

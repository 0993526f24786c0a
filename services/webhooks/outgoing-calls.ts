import type { Client } from 'undici';
import { destinationRuleProblem } from './destination-rules.ts';
import { exchange, type Limits, type Request } from './exchange.ts';
import { type ConnectOptions, guardedConnect } from './guarded-connect.ts';
import { OriginConnections } from './origin-connections.ts';
import type {
  OutgoingCall,
  OutgoingEnd,
  OutgoingFailure,
  OutgoingResult,
  OutgoingSender,
} from './outgoing.ts';
import { BlockedDestination, failureOf } from './outgoing-failure.ts';

export interface OutgoingOptions extends Omit<ConnectOptions, 'timeout_ms'> {
  /** The time limit of a whole call: look-up, connection, headers and body. */
  readonly timeout_ms?: number;
  readonly maxAnswer_bytes?: number;
}

/** Contract row 9.4. */
export const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 4 * 1024;
/** How long a connection that is not in use stays open, however long the receiver would keep it. */
const KEEP_ALIVE_MS = 10_000;
const MAX_IDLE_CONNECTIONS = 1_024;
/** The maximum of URLs whose check is remembered. */
const MAX_CHECKED = 1_000;

/** Where a call goes; or why the rules for destinations forbid it. */
type CheckedUrl = { readonly origin: string; readonly path: string } | OutgoingFailure;

/** A request over a connection. */
interface Attempt {
  readonly origin: string;
  readonly connection: Client;
  readonly request: Request;
}

/**
 * Calls addresses that merchants have set. No other part of the service makes such calls.
 * - The rules for destinations apply to each call. What they say of a URL is always the same, so it is remembered.
 * - The host is resolved once for each connection. All its addresses must be public, and the connection is made to one
 *   of them. So a host that changes its address after the check cannot redirect the call.
 * - Time and size of an answer are limited. Redirects are not followed.
 * - A request whose open connection is closed without an answer is sent again, once, over a new one.
 */
export class OutgoingCalls implements OutgoingSender {
  readonly #options: OutgoingOptions;
  readonly #connections: OriginConnections;
  readonly #checked = new Map<string, CheckedUrl>();

  constructor(options: OutgoingOptions) {
    this.#options = options;
    const clientOptions = {
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // The whole call has a time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: guardedConnect({ timeout_ms: TIMEOUT_MS, ...options }),
    };
    this.#connections = new OriginConnections(clientOptions, MAX_IDLE_CONNECTIONS);
  }

  /** Makes one call. Never throws. */
  call(call: OutgoingCall): Promise<OutgoingResult> {
    return new Promise((resolve) => this.begin(call, resolve));
  }

  /**
   * Makes one call, and calls `ended`, which must not throw, as soon as the answer is complete. A request that begins
   * then goes over the same connection without the check that undici makes of a connection that was idle, which costs
   * as much as a request.
   */
  begin({ url, method, headers = {}, body, ...call }: OutgoingCall, ended: OutgoingEnd): void {
    const { timeout_ms = TIMEOUT_MS } = this.#options;
    const maxAnswer_bytes = call.maxAnswer_bytes ?? this.#options.maxAnswer_bytes ?? MAX_ANSWER_BYTES;
    const target = this.#check(url);
    if ('code' in target) {
      queueMicrotask(() => ended({ kind: 'failed', ...target }));
      return;
    }
    const { origin, path } = target;
    const request = { path, method, headers, body: body ?? null };
    const connection = this.#connections.take(origin);
    const wasOpen = connection.stats.connected;
    const endsAt_ms = performance.now() + timeout_ms;
    this.#send({ origin, connection, request }, { timeout_ms, maxAnswer_bytes }, (result) => {
      // The host may have closed an idle connection just before the request arrived.
      const mayBeStale = wasOpen && result.kind === 'failed' && result.code === 'connection_closed';
      if (!mayBeStale) {
        ended(result);
        return;
      }
      const left_ms = endsAt_ms - performance.now();
      const anew = { origin, connection: this.#connections.create(origin), request };
      this.#send(anew, { timeout_ms: left_ms, maxAnswer_bytes }, ended);
    });
  }

  #send({ origin, connection, request }: Attempt, limits: Limits, ended: OutgoingEnd): void {
    exchange(connection, request, limits, (answer, error) => {
      this.#connections.giveBack(origin, connection);
      if (answer === undefined) ended({ kind: 'failed', ...failureOf(error) });
      else ended({ kind: 'answer', ...answer });
    });
  }

  #check(url: string): CheckedUrl {
    let checked = this.#checked.get(url);
    if (checked === undefined) {
      checked = checkUrl(url, this.#options.allowPrivate);
      if (this.#checked.size >= MAX_CHECKED) this.#checked.clear();
      this.#checked.set(url, checked);
    }
    return checked;
  }

  /** Ends all connections. */
  close(): Promise<void> {
    return this.#connections.destroy();
  }
}

function checkUrl(text: string, allowPrivate: boolean): CheckedUrl {
  const problem = destinationRuleProblem(text, { allowPrivate });
  if (problem !== undefined) return failureOf(new BlockedDestination(problem));
  const url = new URL(text);
  // Certificates and virtual hosts have names without the trailing dot.
  url.hostname = url.hostname.replace(/\.$/, '');
  return { origin: url.origin, path: url.pathname + url.search };
}

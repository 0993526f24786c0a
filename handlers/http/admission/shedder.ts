import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../../services/deps.ts';
import { requestIdOf, SECURITY_HEADERS, standardHeaders } from '../answer-headers.ts';
import type { ErrorPage, ErrorPageOf } from '../error-page.ts';
import { refusalAnswer } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { HttpRefusal } from '../refusal.ts';

const RETRY_AFTER_S = 1;
/** The log gets one line for all refusals of this interval. */
const LOG_INTERVAL_MS = 1_000;

/** Refuses a request because no ticket is available (503). */
export class Overloaded extends HttpRefusal {
  constructor() {
    super(503, {
      code: 'overloaded',
      message: 'The server has too many requests in progress. Try again shortly.',
      retryAfter_s: RETRY_AFTER_S,
    });
  }
}

/** The answer is serialized once. Headers are names and values in turn. */
const { status, body, headers } = refusalAnswer(new Overloaded(), undefined);
const TEXT = JSON.stringify(body);
const CONTENT = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(TEXT.length) };
const HEADERS = Object.entries({ ...headers, ...CONTENT }).flat();

/** Answers 503 at the lowest cost, because the time of a refusal is lost for the requests that are served. */
export class Shedder {
  readonly #metrics: Metrics;
  readonly #log: Log;
  readonly #pageOf: ErrorPageOf;
  #refusedSinceLog = 0;
  #loggedAt_ms = Number.NEGATIVE_INFINITY;

  constructor(metrics: Metrics, log: Log, pageOf: ErrorPageOf) {
    this.#pageOf = pageOf;
    this.#metrics = metrics;
    this.#log = log;
  }

  /**
   * Answers at once: Node reads from a connection until answers are queued on it, so later answers would let one
   * connection send requests without limit. `in_flight` is logged.
   */
  shed(request: IncomingMessage, response: ServerResponse, in_flight: number): void {
    this.#count(in_flight);
    const page = this.#pageOf(request, status);
    if (page === undefined) response.writeHead(status, [...standardHeaders(request), ...HEADERS]);
    else response.writeHead(status, ['X-Request-Id', requestIdOf(request), ...headersOf(page)]);
    response.end(request.method === 'HEAD' ? undefined : (page?.text ?? TEXT));
  }

  #count(in_flight: number): void {
    this.#metrics.shed.inc();
    this.#metrics.requests.inc({ operation: 'none', status: '503' });
    this.#refusedSinceLog += 1;
    const now_ms = performance.now();
    if (now_ms - this.#loggedAt_ms < LOG_INTERVAL_MS) return;
    this.#log.warn({ refused: this.#refusedSinceLog, in_flight }, 'requests refused: overloaded');
    this.#loggedAt_ms = now_ms;
    this.#refusedSinceLog = 0;
  }
}

function headersOf({ headers }: ErrorPage): string[] {
  return Object.entries({ ...SECURITY_HEADERS, ...headers }).flat();
}

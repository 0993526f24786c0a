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
/**
 * Refusals are written in batches, which costs a fifth less than one at a time. The batch is limited because Node reads
 * from a connection until answers are queued on it: without a limit, one turn of the event loop accepted all pipelined
 * requests of 120 clients, more than a heap of 768 MiB holds.
 */
const MAX_BATCH = 64;

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

/** Answers 503 at the lowest cost, because the time of a refusal is lost for the requests that are served. */
export class Shedder {
  readonly #metrics: Metrics;
  readonly #log: Log;
  readonly #answer = serialized(new Overloaded());
  readonly #pageOf: ErrorPageOf;
  #batch: [IncomingMessage, ServerResponse][] = [];
  #refusedSinceLog = 0;
  #loggedAt_ms = Number.NEGATIVE_INFINITY;

  constructor(metrics: Metrics, log: Log, pageOf: ErrorPageOf) {
    this.#pageOf = pageOf;
    this.#metrics = metrics;
    this.#log = log;
  }

  /** Answers within this turn of the event loop. `in_flight` is logged. */
  shed(request: IncomingMessage, response: ServerResponse, in_flight: number): void {
    if (this.#batch.length === 0) setImmediate(() => this.#answerBatch());
    this.#batch.push([request, response]);
    this.#count(in_flight);
    if (this.#batch.length === MAX_BATCH) this.#answerBatch();
  }

  #answerBatch(): void {
    const batch = this.#batch;
    this.#batch = [];
    const { status, text, headers } = this.#answer;
    for (const [request, response] of batch) {
      const page = this.#pageOf(request, status);
      if (page === undefined) response.writeHead(status, [...standardHeaders(request), ...headers]);
      else response.writeHead(status, ['X-Request-Id', requestIdOf(request), ...headersOf(page)]);
      response.end(request.method === 'HEAD' ? undefined : (page?.text ?? text));
    }
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

/** Names and values in turn. */
function headersOf({ headers }: ErrorPage): string[] {
  return Object.entries({ ...SECURITY_HEADERS, ...headers }).flat();
}

/** Serializes a refusal once. Headers are names and values in turn. */
function serialized(refusal: HttpRefusal): { status: number; text: string; headers: readonly string[] } {
  const { status, body, headers } = refusalAnswer(refusal, undefined);
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  const content = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', length];
  return { status, text, headers: [...Object.entries(headers).flat(), ...content] };
}

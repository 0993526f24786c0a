import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../../services/deps.ts';
import type { UpstreamCalls } from '../../../services/upstream-calls.ts';
import type { ErrorPageOf } from '../error-page.ts';
import type { Metrics } from '../metrics.ts';
import { FairQueue } from './fair-queue.ts';
import { Shedder } from './shedder.ts';
import { ClientGone, Ticket } from './ticket.ts';
import { type Tenant, Tickets } from './tickets.ts';

/**
 * How long a client may take to read an answer for which it holds a ticket, from the end of the work. The server has
 * the same timeout for clients that read nothing, but that one starts again with each byte that is read.
 */
export const ANSWER_TIMEOUT_MS = 60_000;

interface AdmissionOptions {
  /** The maximum of requests in flight. */
  readonly limit: number;
  readonly upstreamCalls: UpstreamCalls;
  readonly metrics: Metrics;
  readonly log: Log;
  /** The pages in place of refusals. */
  readonly pageOf?: ErrorPageOf;
}

/** Admits requests or sheds them. README.md in this folder explains the limits. */
export class Admission {
  readonly #tickets: Tickets;
  readonly #queue: FairQueue;
  readonly #shedder: Shedder;
  readonly #log: Log;

  constructor({ limit, upstreamCalls, metrics, log, pageOf = () => undefined }: AdmissionOptions) {
    this.#tickets = new Tickets(limit, upstreamCalls);
    this.#queue = new FairQueue(upstreamCalls);
    this.#shedder = new Shedder(metrics, log, pageOf);
    this.#log = log;
    const watch = (name: string, help: string, read: () => number) =>
      metrics.watch(`centavo_http_requests_${name}`, help, read);
    watch('in_flight', 'Requests that were admitted and are not finished.', () => this.#tickets.held);
    watch('queued', 'Requests that wait for their turn to run.', () => this.#queue.queued);
    watch('working', 'Requests that run or wait for an upstream call.', () => this.#queue.running);
    watch('waiting', 'Upstream calls of requests and background jobs.', () => upstreamCalls.inFlight());
  }

  /**
   * Runs `work` with a ticket that is charged to the tenant. Answers 503 when no ticket is available. Does nothing when
   * the client has disconnected: its response emits no further `close`, so the ticket would never be released.
   */
  admit(
    request: IncomingMessage,
    response: ServerResponse,
    tenant: Tenant,
    work: (ticket: Ticket) => Promise<void>,
  ): void {
    if (response.destroyed) return;
    if (!this.#tickets.isAvailable(tenant)) {
      this.#shedder.shed(request, response, this.#tickets.held);
      return;
    }
    const ticket = new Ticket(response, tenant, this.#tickets, this.#queue);
    let answerTimer: NodeJS.Timeout | undefined;
    response.once('close', () => {
      clearTimeout(answerTimer);
      ticket.close();
    });
    const onError = (error: unknown) => {
      if (!(error instanceof ClientGone))
        this.#log.error({ method: request.method, err: error }, 'request failed');
      response.destroy();
    };
    const onEnd = () => {
      ticket.end();
      // The request's socket, because a response that waits behind another one on its connection has no socket yet.
      const close = () => request.socket.destroy();
      if (ticket.isHeld) answerTimer = setTimeout(close, ANSWER_TIMEOUT_MS).unref();
    };
    void work(ticket).catch(onError).finally(onEnd);
  }
}

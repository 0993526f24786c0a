import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';
import type { Deps } from '../../services/deps.ts';
import { rateLimiter } from '../../services/merchants/rate-limit.ts';
import { requestIdOf, SECURITY_HEADERS, standardHeaders } from './answer-headers.ts';
import type { Contract } from './contract.ts';
import { asRefusal, refusalAnswer } from './errors.ts';
import type { Handlers } from './handler.ts';
import { healthRoutes } from './health.ts';
import type { ReadyAnswer } from './idempotency.ts';
import { lastResort } from './last-resort.ts';
import type { Metrics } from './metrics.ts';
import { API_PREFIX, buildPipeline } from './pipeline.ts';
import type { Passage } from './request-context.ts';
import { Overloaded, type Place, Room } from './room.ts';
import { pathAndQuery, readTarget } from './target.ts';
import { answerUnreadable, refuseBadHost } from './unreadable.ts';

export interface ServerOptions {
  readonly deps: Deps;
  readonly contract: Contract;
  readonly handlers: Handlers;
  readonly metrics: Metrics;
  /** Requests worked on at once; one more is answered 503 at once. */
  readonly maxInFlight: number;
  /** Throws while the database or the worker cannot be reached. */
  readonly ready: () => Promise<void>;
  /** Told of each key that was used, for its `last_used_at`. */
  readonly keyUsed: (passage: Passage) => void;
  /** Adds what is not an API operation: docs, gateway notifications, pages. */
  readonly mount?: (app: Express) => void;
}

/** How often Node looks for requests that do not come to an end; its own 30 s would make 10 s up to 40. */
const UNFINISHED_CHECK_MS = 2_000;

/** The public listener, not yet listening. */
export async function buildServer(options: ServerOptions): Promise<Server> {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const { deps, maxInFlight, metrics } = options;
  const room = new Room(maxInFlight, deps.waits, metrics, deps.log);
  const answerOperation = await apiRequests(options, room, () => !server.listening);
  // Operations go past Express: what it does to each request was an eighth of the time of a look-up by key.
  const listening = { requireHostHeader: false, connectionsCheckingInterval: UNFINISHED_CHECK_MS };
  const server = createServer(listening, (request, response) => {
    if (refuseBadHost(request, response)) return;
    readTarget(request);
    if (!request.url!.startsWith(`${API_PREFIX}/`)) app(request, response);
    else answerOperation(request, response);
  });
  app.use(pageHeaders);
  app.use(healthRoutes(options.ready));
  options.mount?.(app);
  app.use(answerOperation);
  app.use(lastResort(deps.log));
  answerUnreadable(server);
  // A request that drips in must not hold a connection for ever; our longest answer takes 25 s.
  server.requestTimeout = 30_000;
  server.headersTimeout = 10_000;
  server.keepAliveTimeout = 65_000;
  // Nor may one whose answer nobody reads.
  server.timeout = 60_000;
  return server;
}

function pageHeaders(request: Request, response: Response, next: () => void): void {
  response.setHeader('X-Request-Id', requestIdOf(request));
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  next();
}

/** Room → request id → the pipeline → answer, log and metrics. */
async function apiRequests(options: ServerOptions, room: Room, isStopping: () => boolean) {
  const { deps, contract, handlers, metrics } = options;
  const pipeline = await buildPipeline(deps, contract, handlers, {
    limiter: rateLimiter(deps.db, deps.wall),
    room,
  });

  async function answerFor(request: IncomingMessage, passage: Passage): Promise<ReadyAnswer> {
    const [path, query] = pathAndQuery(request.url!);
    const method = request.method === 'HEAD' ? 'GET' : request.method!;
    return pipeline({ method, path, query, headers: request.headers as never }, passage);
  }

  async function answerRequest(
    request: IncomingMessage,
    response: ServerResponse,
    place: Place,
    started: number,
  ): Promise<void> {
    const passage: Passage = { message: request, place };
    let answer: ReadyAnswer;
    let thrown: unknown;
    try {
      answer = await answerFor(request, passage);
    } catch (error) {
      thrown = error;
      if (error instanceof Overloaded) metrics.shed.inc();
      const { status, body, headers } = refusalAnswer(error, passage.operation);
      answer = { status, text: JSON.stringify(body), headers };
    }
    const requestId = requestIdOf(request);
    send(request, response, answer, headersOf(request, requestId, passage, answer, isStopping()));
    record(options, passage, { requestId, status: answer.status, started, method: request.method!, thrown });
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    if (room.turnAway(request, response)) return;
    const started = performance.now();
    room.enter(request, response, (place) =>
      answerRequest(request, response, place, started).catch((error: unknown) => {
        // No answer can be given any more, and nobody stands above to take the error.
        deps.log.error({ method: request.method, err: error }, 'request failed');
        response.destroy();
      }),
    );
  };
}

/** The headers of an answer, names and values in turn. */
function headersOf(
  request: IncomingMessage,
  requestId: string,
  { rate, allow }: Passage,
  { status, text, headers }: ReadyAnswer,
  isStopping: boolean,
): string[] {
  const lines = standardHeaders(request, requestId);
  if (rate !== undefined) {
    lines.push('RateLimit-Limit', String(rate.limit));
    lines.push('RateLimit-Remaining', String(rate.remaining));
    lines.push('RateLimit-Reset', String(rate.reset_s));
  }
  if (allow !== undefined) lines.push('Allow', allow.join(', '));
  if (headers !== undefined) lines.push(...Object.entries(headers).flat());
  // A body that nobody read would be taken for the next request on this connection; and into one that is being closed
  // a client could send its next request.
  if (isStopping || !request.complete) lines.push('Connection', 'close');
  if (status === 204) return lines;
  lines.push('Content-Type', 'application/json; charset=utf-8');
  lines.push('Content-Length', String(Buffer.byteLength(text)));
  return lines;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ReadyAnswer,
  headers: string[],
): void {
  if (response.destroyed) return;
  // What a page's headers said stands for pages.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.writeHead(answer.status, headers);
  const isBare = answer.status === 204 || request.method === 'HEAD';
  response.end(isBare ? undefined : answer.text);
}

interface Outcome {
  readonly requestId: string;
  readonly status: number;
  readonly started: number;
  readonly method: string;
  readonly thrown: unknown;
}

/** Only what is named here reaches the log: paths hold e-mails and bodies hold cards, so neither does. */
function record(options: ServerOptions, passage: Passage, outcome: Outcome): void {
  const duration_ms = Math.round((performance.now() - outcome.started) * 10) / 10;
  const operation = passage.operation?.operationId ?? 'none';
  options.metrics.requests.inc({ operation, status: String(outcome.status) });
  options.metrics.duration_s.observe({ operation }, duration_ms / 1000);
  if (passage.principal !== undefined) options.keyUsed(passage);
  const line = {
    request_id: outcome.requestId,
    method: outcome.method,
    operation,
    merchant_id: passage.principal?.merchant.merchantId,
    status: outcome.status,
    duration_ms,
  };
  const isOurs = outcome.thrown !== undefined && asRefusal(outcome.thrown) === undefined;
  if (isOurs) options.deps.log.error({ ...line, err: outcome.thrown }, 'request failed');
  else if (outcome.status === 503)
    options.deps.log.warn({ ...line, err: causeOf(outcome.thrown) }, 'request refused');
  else options.deps.log.info(line, 'request');
}

function causeOf(thrown: unknown): unknown {
  return asRefusal(thrown)?.cause;
}

export { API_PREFIX };

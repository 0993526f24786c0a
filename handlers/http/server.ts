import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Deps } from '../../services/deps.ts';
import { LONGEST_REQUEST_MS } from '../../services/longest-request.ts';
import { rateLimiter } from '../../services/merchants/rate-limit.ts';
import { type Admission, ANSWER_TIMEOUT_MS } from './admission/admission.ts';
import { KnownKeys } from './admission/known-keys.ts';
import { admitPages, ticketOf } from './admission/pages.ts';
import { Overloaded } from './admission/shedder.ts';
import type { Ticket } from './admission/ticket.ts';
import { byAddress } from './admission/tickets.ts';
import { requestIdOf, SECURITY_HEADERS, standardHeaders } from './answer-headers.ts';
import type { AddressedRequest } from './client-address.ts';
import type { Contract } from './contract.ts';
import { crossOrigin, isCrossOriginHeader } from './cross-origin.ts';
import { errorHandler } from './error-handler.ts';
import type { ErrorPageOf } from './error-page.ts';
import { asRefusal, refusalAnswer } from './errors.ts';
import { STREAM_HEADERS, sendStream } from './event-stream.ts';
import type { Handlers } from './handler.ts';
import { healthRoutes } from './health.ts';
import type { ReadyAnswer } from './idempotency.ts';
import type { Metrics } from './metrics.ts';
import type { CallOperation } from './page-calls.ts';
import { API_PREFIX, buildPipeline } from './pipeline.ts';
import type { RequestContext } from './request-context.ts';
import { pathAndQuery, readTarget } from './target.ts';
import { answerUnreadable, refuseBadHost } from './unreadable.ts';

export interface ServerOptions {
  readonly deps: Deps;
  readonly contract: Contract;
  readonly handlers: Handlers;
  readonly metrics: Metrics;
  readonly admission: Admission;
  /** The network address of the client of a request. */
  readonly clientAddress: (request: IncomingMessage) => string;
  /** Throws while the database or the worker cannot be reached. */
  readonly ready: () => Promise<void>;
  /** Called after each request with a valid key, for its `last_used_at`. */
  readonly keyUsed: (context: RequestContext) => void;
  /** Serves the acquirer's notifications. */
  readonly notifications: RequestHandler;
  /** Reads the forms of pages. */
  readonly forms: RequestHandler;
  /** The pages in place of internal errors. */
  readonly errorPage: ErrorPageOf;
  /** Adds the pages: docs, library, contract, boletos, checkout. */
  readonly addPages: (app: Express, callOperation: CallOperation) => void;
}

/** How often Node checks for timeouts of requests. With the default of 30 s, a timeout of 10 s could take 40 s. */
const UNFINISHED_CHECK_MS = 2_000;

/** Builds the public listener, which does not listen yet. */
export async function buildServer(options: ServerOptions): Promise<Server> {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const { deps, admission } = options;
  const knownKeys = new KnownKeys();
  const { answerOperation, callOperation } = await operations(options, knownKeys, () => !server.listening);
  // Read when it is needed first: most requests are known by their key.
  const addressOf = (request: AddressedRequest) => (request.clientAddress ??= options.clientAddress(request));
  const origins = crossOrigin(options.contract, API_PREFIX);
  const listening = { requireHostHeader: false, connectionsCheckingInterval: UNFINISHED_CHECK_MS };
  const server = createServer(listening, (request, response) => {
    if (refuseBadHost(request, response)) return;
    readTarget(request);
    if (!request.url!.startsWith(`${API_PREFIX}/`)) {
      addressOf(request);
      app(request, response);
      return;
    }
    if (origins.answered(request, response)) return;
    // Operations bypass Express, which took an eighth of the time of a look-up by key.
    const merchantId = knownKeys.merchantOf(request.headers.authorization);
    if (merchantId === undefined) addressOf(request);
    const tenant = merchantId ?? byAddress(request);
    admission.admit(request, response, tenant, (ticket) => answerOperation(request, response, ticket));
  });
  app.use(pageHeaders);
  // Health checks need no ticket: a load balancer must get an answer under any load.
  app.use(healthRoutes(options.ready));
  app.use(options.notifications);
  // A client that sends slowly must not hold a ticket.
  app.use(options.forms);
  app.use(admitPages(admission));
  options.addPages(app, callOperation);
  app.use((request, response) => answerOperation(request, response, ticketOf(response)));
  app.use(errorHandler(deps.log, options.errorPage));
  answerUnreadable(server);
  limitSlowClients(server);
  return server;
}

function limitSlowClients(server: Server): void {
  // Without this limit, a client that does not finish its request keeps the connection.
  server.requestTimeout = LONGEST_REQUEST_MS + 5_000;
  server.headersTimeout = 10_000;
  server.keepAliveTimeout = 65_000;
  // The same for a client that does not read its answer.
  server.timeout = ANSWER_TIMEOUT_MS;
}

function pageHeaders(request: Request, response: Response, next: () => void): void {
  response.setHeader('X-Request-Id', requestIdOf(request));
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  next();
}

/** Returns the functions that run operations: pipeline → answer → log and metrics. */
async function operations(options: ServerOptions, knownKeys: KnownKeys, isStopping: () => boolean) {
  const { deps, contract, handlers } = options;
  const limiter = rateLimiter(deps.db, deps.wall);
  const pipeline = await buildPipeline(deps, contract, handlers, { limiter, knownKeys });

  async function run(call: Parameters<typeof pipeline>[0], context: RequestContext) {
    const started = performance.now();
    let answer: ReadyAnswer;
    let thrown: unknown;
    try {
      answer = await pipeline(call, context);
    } catch (error) {
      thrown = error;
      const { status, body, headers } = refusalAnswer(error, context.operation);
      answer = { status, text: JSON.stringify(body), headers };
    }
    return { answer, outcome: { status: answer.status, started, thrown } };
  }

  function newContext(request: IncomingMessage, ticket: Ticket): RequestContext {
    const clientAddress = () => (request as AddressedRequest).clientAddress ?? options.clientAddress(request);
    return { message: request, ticket, clientAddress };
  }

  /** Answers a request for an operation or for an unknown path. */
  async function answerOperation(
    request: IncomingMessage,
    response: ServerResponse,
    ticket: Ticket,
  ): Promise<void> {
    const [path, query] = pathAndQuery(request.url!);
    const method = request.method === 'HEAD' ? 'GET' : request.method!;
    const context = newContext(request, ticket);
    const { answer, outcome } = await run(
      { method, path, query, headers: request.headers as never },
      context,
    );
    const requestId = requestIdOf(request);
    const headers = headersOf(context, requestId, answer, isStopping());
    if (answer.stream === undefined) send(request, response, answer, headers);
    else void sendStream(response, answer.stream, headers, deps.log);
    record(options, context, { ...outcome, requestId, method: request.method! });
  }

  const callOperation: CallOperation = async (request, response, { method, path, body, headers }) => {
    const pageCall = { headers: headers ?? {}, bodyText: body && JSON.stringify(body) };
    const context = { ...newContext(request, ticketOf(response)), pageCall };
    const call = { method, path: `${API_PREFIX}${path}`, query: '', headers: pageCall.headers };
    const { answer, outcome } = await run(call as never, context);
    const requestId = String(response.getHeader('X-Request-Id'));
    record(options, context, { ...outcome, requestId, method });
    const retryAfter = answer.headers?.['Retry-After'];
    return { status: answer.status, body: JSON.parse(answer.text), retryAfter };
  };

  return { answerOperation, callOperation };
}

/** The headers of an answer, names and values in turn. */
function headersOf(
  { message: request, rate, allow }: RequestContext,
  requestId: string,
  { status, text, headers, stream }: ReadyAnswer,
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
  // If the body was not read completely, its rest would be parsed as the next request. A server that stops accepts
  // none.
  if (isStopping || !request.complete) lines.push('Connection', 'close');
  if (status === 204) return lines;
  if (stream !== undefined) return [...lines, ...STREAM_HEADERS];
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
  if (response.destroyed) {
    // The ticket of a page is held until then.
    response.end();
    return;
  }
  // A request that went through Express has the headers of a page.
  for (const name of response.getHeaderNames()) {
    if (!isCrossOriginHeader(name)) response.removeHeader(name);
  }
  response.writeHead(answer.status, headers);
  const hasNoBody = answer.status === 204 || request.method === 'HEAD';
  response.end(hasNoBody ? undefined : answer.text);
}

interface Outcome {
  readonly requestId: string;
  readonly status: number;
  readonly started: number;
  readonly method: string;
  readonly thrown: unknown;
}

/** Logs only these fields, because paths contain e-mail addresses and bodies contain cards. */
function record(options: ServerOptions, context: RequestContext, outcome: Outcome): void {
  const { metrics, deps } = options;
  const duration_ms = Math.round((performance.now() - outcome.started) * 10) / 10;
  const operation = context.operation?.operationId ?? 'none';
  metrics.requests.inc({ operation, status: String(outcome.status) });
  metrics.duration_s.observe({ operation }, duration_ms / 1000);
  if (outcome.thrown instanceof Overloaded) metrics.shed.inc();
  if (context.principal !== undefined) options.keyUsed(context);
  const line = {
    request_id: outcome.requestId,
    method: outcome.method,
    operation,
    merchant_id: context.merchant?.merchantId,
    status: outcome.status,
    duration_ms,
  };
  const isInternalError = outcome.thrown !== undefined && asRefusal(outcome.thrown) === undefined;
  if (isInternalError) deps.log.error({ ...line, err: outcome.thrown }, 'request failed');
  else if (outcome.status === 503)
    deps.log.warn({ ...line, err: asRefusal(outcome.thrown)?.cause }, 'request refused');
  else deps.log.info(line, 'request');
}

import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';
import type { Deps } from '../../services/deps.ts';
import { rateLimiter } from '../../services/rate-limit.ts';
import { refuseAnnouncedOversize } from './body.ts';
import type { Contract } from './contract.ts';
import { asRefusal, refusalAnswer } from './errors.ts';
import type { Handlers } from './handler.ts';
import { healthRoutes } from './health.ts';
import type { ReadyAnswer } from './idempotency.ts';
import { lastResort } from './last-resort.ts';
import type { Metrics } from './metrics.ts';
import { API_PREFIX, buildPipeline, type Passage } from './pipeline.ts';
import { MerchantShares, Overloaded } from './shares.ts';
import { answerUnreadable } from './unreadable.ts';

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

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The public listener, not yet listening. */
export async function buildServer(options: ServerOptions): Promise<Server> {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestId);
  app.use(securityHeaders);
  app.use(healthRoutes(options.ready));
  options.mount?.(app);
  const server = createServer(app);
  app.use(await apiRequests(options, () => !server.listening));
  app.use(lastResort(options.deps.log));
  answerUnreadable(server);
  // A request that drips in must not hold a connection for ever; our longest answer takes 25 s.
  server.requestTimeout = 30_000;
  server.headersTimeout = 10_000;
  server.keepAliveTimeout = 65_000;
  // Nor may one whose answer nobody reads.
  server.timeout = 60_000;
  return server;
}

/** The caller's own id where it is a sane one, so that both sides can find a request; else a new one. */
function requestId(request: Request, response: Response, next: () => void): void {
  const given = request.headers['x-request-id'];
  response.setHeader(
    'X-Request-Id',
    typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID(),
  );
  next();
}

function securityHeaders(_request: Request, response: Response, next: () => void): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('Cache-Control', 'no-store');
  next();
}

/** Request id → overload and size → the pipeline → answer, log and metrics. */
async function apiRequests(options: ServerOptions, isStopping: () => boolean) {
  const { deps, contract, handlers, metrics } = options;
  const shares = new MerchantShares(options.maxInFlight);
  const pipeline = await buildPipeline(deps, contract, handlers, rateLimiter(deps.db, deps.wall), shares);
  let inFlight = 0;

  async function answerFor(request: Request, passage: Passage): Promise<ReadyAnswer> {
    if (inFlight > options.maxInFlight) throw new Overloaded();
    refuseAnnouncedOversize(request);
    const [path = '', query = ''] = splitOnce(request.url, '?');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    return pipeline({ method, path, query, headers: request.headers as never }, passage);
  }

  return async (request: Request, response: Response): Promise<void> => {
    const started = performance.now();
    const passage: Passage = { message: request };
    inFlight += 1;
    metrics.inFlight.set(inFlight);
    const closed = new Promise((resolve) => response.once('close', resolve));
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
    // Else a client could send its next request into a connection that is being closed.
    if (isStopping()) response.setHeader('Connection', 'close');
    send(request, response, passage, answer);
    // An answer that is read slowly, or never, takes room until it has gone out.
    closed.then(() => {
      passage.leave?.();
      inFlight -= 1;
      metrics.inFlight.set(inFlight);
    });
    const requestId = String(response.getHeader('X-Request-Id'));
    record(options, passage, { requestId, status: answer.status, started, method: request.method, thrown });
  };
}

function send(request: Request, response: Response, passage: Passage, answer: ReadyAnswer): void {
  if (response.destroyed) return;
  response.statusCode = answer.status;
  if (passage.rate !== undefined) {
    response.setHeader('RateLimit-Limit', passage.rate.limit);
    response.setHeader('RateLimit-Remaining', passage.rate.remaining);
    response.setHeader('RateLimit-Reset', passage.rate.reset_s);
  }
  if (passage.allow !== undefined) response.setHeader('Allow', passage.allow.join(', '));
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  // A body that nobody read would be taken for the next request on this connection.
  if (!request.complete) response.setHeader('Connection', 'close');
  if (answer.status === 204) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(answer.text));
  response.end(request.method === 'HEAD' ? undefined : answer.text);
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

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

export { API_PREFIX };

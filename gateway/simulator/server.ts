import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { isSigned, SIGNATURE_HEADER, signedRequest } from '../signature.ts';
import { ReferenceReused } from './answers.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import { BadRequest, Fields } from './fields.ts';
import type { SimulatorLog } from './outbox.ts';
import { commonFields, PAYMENT_ROUTES, type Route } from './payment-routes.ts';
import type { Simulator } from './simulator.ts';

const ROUTES = new Map<string, Route>(Object.entries({ ...PAYMENT_ROUTES, ...CONTROL_ROUTES }));

/** More than the longest wallet token, whose JSON can have 6 bytes for each of its 16,384 characters. */
const MAX_BODY_BYTES = 128 * 1024;

/** How far the clocks of two machines may differ. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** How long the connection of a lost answer stays open: longer than the service waits for an answer. */
const LOST_ANSWER_MS = 60_000;

export interface ServerOptions {
  /** Shared with the client. */
  readonly secret: string;
  /** The shortest time until an answer. */
  readonly answerAfter_ms: number;
  readonly log: SimulatorLog;
}

/** The simulator's HTTP server. The caller makes it listen. */
export function simulatorServer(
  simulator: Simulator,
  { secret, answerAfter_ms, log }: ServerOptions,
): Server {
  const server = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const earliest = answerAfter_ms > 0 ? delay(answerAfter_ms) : undefined;
    const [status, body] = await answer(simulator, secret, request, path).catch((error): Answer => {
      log.error({ path, cause: causeOf(error) }, 'the simulated acquirer failed');
      return [500, { error: 'The acquirer failed.' }];
    });
    await earliest;
    if (status === null) setTimeout(() => request.socket.destroy(), LOST_ANSWER_MS).unref();
    else send(response, status, body);
  });
  // Longer than the client keeps an idle connection: otherwise it could send into one that is being closed.
  server.keepAliveTimeout = 65_000;
  return server;
}

/** Status and body. Null status: no answer. */
type Answer = readonly [status: number | null, body: object];

async function answer(
  simulator: Simulator,
  secret: string,
  request: IncomingMessage,
  path: string,
): Promise<Answer> {
  const body = await readBody(request);
  if (!body) return [413, { error: 'The body is too large.' }];
  if (!isSigned(secret, request.headers[SIGNATURE_HEADER], signedRequest(path, body), Date.now())) {
    return [401, { error: 'The signature is missing, wrong or too old.' }];
  }
  const route = ROUTES.get(path);
  if (!route || request.method !== 'POST') return [404, { error: 'There is no such operation.' }];
  try {
    const fields = new Fields(parse(body));
    const result = await route(simulator, fields);
    if (result) return [200, result];
    return (await isAheadOfClock(simulator, fields)) ? [504, { error: 'The answer is lost.' }] : [null, {}];
  } catch (error) {
    if (error instanceof BadRequest) return [400, { error: error.message }];
    if (error instanceof ReferenceReused)
      return [409, { error: 'The reference was used for something else.' }];
    throw error;
  }
}

/**
 * Whether a request has a time that the account's clock has not reached yet, because a tester moves the clock forward.
 * The advance waits for the answer of such a request, so a late answer would only delay it.
 */
async function isAheadOfClock({ pool }: Simulator, fields: Fields): Promise<boolean> {
  const { account, requestedAt } = commonFields(fields);
  const { rows } = await pool.query<{ offset_ms: string }>(
    'select clock_offset_ms as offset_ms from simulator.accounts where account = $1',
    [account],
  );
  const now_ms = Date.now() + Number(rows[0]?.offset_ms ?? 0);
  return requestedAt.getTime() > now_ms + CLOCK_DIFFERENCE_MS;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new BadRequest('The body is not JSON.');
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // The rest is read and discarded: leaving early would break the connection before the answer.
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? null : Buffer.concat(chunks);
}

function send(response: ServerResponse, status: number, body: object): void {
  const json = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': json.length });
  response.end(json);
}

/** The part of an error that may be logged: the code of the database, or the message of one of our own errors. */
export function causeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(code ?? message ?? 'unknown');
}

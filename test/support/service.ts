import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../composition/service.ts';
import { readConfig } from '../../config.ts';
import type { SandboxControl } from '../../gateway/sandbox-control.ts';
import { type Deps, type Log, returnResult } from '../../services/deps.ts';
import { createApiKey } from '../../services/merchants/create-api-key.ts';
import {
  createMerchant,
  type NewMerchantInput,
  type OnboardedMerchant,
} from '../../services/merchants/create-merchant.ts';
import { testDatabase } from './database.ts';
import { assertInContract } from './http/contract-check.ts';
import { type Intercept, interceptable } from './payments/interceptable-acquirer.ts';

/** One logged line. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

export interface CallOptions {
  /** The API key; null sends none. Default: the key of `as`, or of the service's first merchant. */
  readonly key?: string | null;
  readonly body?: unknown;
  /** Sent as it is, with content-type application/json unless `headers` say otherwise. */
  readonly rawBody?: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly idempotencyKey?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any body
export type Json = any;

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
  readonly text: string;
}

export interface TestService extends AsyncDisposable {
  readonly url: string;
  readonly internalUrl: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly deps: Deps;
  readonly log: readonly LogLine[];
  /** A merchant made when the service started: approved, all methods, MCCs 5734 and 7372. */
  readonly merchant: OnboardedMerchant;
  /** The simulated acquirer. */
  readonly control: SandboxControl;
  newMerchant(input?: Partial<NewMerchantInput>): Promise<OnboardedMerchant>;
  newKey(
    merchant: OnboardedMerchant,
    permissions?: readonly string[],
  ): Promise<{ id: string; apiKey: string }>;
  /** One request below /api/v1. Fails when the answer is not one that the contract describes. */
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>;
  /** Sets how far the service's wall clock is ahead of the machine's, in total. */
  setAhead(ms: number): void;
  readonly intercept: Intercept;
  /** Rows of any table, those of the simulated acquirer (`simulator.…`) included. */
  rows<Row>(sql: string, params?: Record<string, unknown>): Promise<Row[]>;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  /** Whether background jobs run. A test that runs the steps of jobs itself says false. Default: true. */
  readonly jobs?: boolean;
  /** Starts on the database and with the merchant of another service. It is not removed at the end. */
  readonly beside?: TestService;
  /** A database and a data directory of the caller, who removes them. */
  readonly home?: Home;
  /** How far the wall clock is ahead of the machine's at the start. */
  readonly ahead_ms?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly overrides?: Partial<Deps>;
}

/** Starts the whole service in this process, with the simulated acquirer, on a new database and free ports. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  await using cleanUp = new AsyncDisposableStack();
  const { databaseUrl, dataDir } = options.home ?? options.beside ?? (await newHome(cleanUp));
  let { ahead_ms = 0 } = options;
  const log: LogLine[] = [];
  const service = await startService(
    readConfig({
      ...environmentOf({ databaseUrl, dataDir }),
      ...(options.jobs === false && { ROLE: 'api' }),
      ...options.env,
    }),
    memoryLog(log),
    { wall: () => new Date(Date.now() + ahead_ms), ...options.overrides },
  );
  cleanUp.defer(() => service.stop());
  const { deps } = service;
  const merchant =
    options.beside?.merchant ?? (await createMerchant(deps, { name: 'Loja de Teste' }, returnResult));
  const running = cleanUp.move();
  const stop = async () => {
    const startedAt_ms = performance.now();
    await running.disposeAsync();
    reportSlowStop(performance.now() - startedAt_ms);
  };
  return {
    url: service.url!,
    internalUrl: service.internalUrl,
    databaseUrl,
    dataDir,
    deps,
    log,
    merchant,
    control: deps.sandbox!,
    newMerchant: (input = {}) => createMerchant(deps, { name: 'Outra Loja', ...input }, returnResult),
    newKey: async (of, permissions) => {
      const key = await createApiKey(deps, deps.db, of.merchant, {
        name: 'Test key',
        permissions: permissions ?? null,
      });
      return { id: key.record.id, apiKey: key.apiKey };
    },
    call: (method, path, call = {}) => request(service.url!, merchant.apiKey, method, path, call),
    setAhead: (ms) => {
      ahead_ms = ms;
    },
    intercept: interceptable(deps),
    rows: (sql, params = {}) => deps.db.anywhere(sql, params),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A stop waits for open requests, so an answer that a test does not read can delay it by up to 30 s. */
const SLOW_STOP_MS = 10_000;

function reportSlowStop(took_ms: number): void {
  if (took_ms < SLOW_STOP_MS) return;
  const seconds = Math.round(took_ms / 1_000);
  process.stderr.write(
    `A service took ${seconds} s to stop. Has the test left a request or an answer open?\n`,
  );
}

export interface Home {
  readonly databaseUrl: string;
  readonly dataDir: string;
}

async function newHome(cleanUp: AsyncDisposableStack): Promise<Home> {
  const database = await testDatabase();
  cleanUp.defer(() => database.drop());
  const dataDir = await mkdtemp(join(tmpdir(), 'centavo-test-'));
  cleanUp.defer(() => rm(dataDir, { recursive: true, force: true }));
  return { databaseUrl: database.url, dataDir };
}

/** Variables of a service on this database, on free ports. */
export function environmentOf({ databaseUrl, dataDir }: Home): Readonly<Record<string, string>> {
  return { PORT: '0', INTERNAL_PORT: '0', DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
}

function memoryLog(lines: LogLine[]): Log {
  const at = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, message, fields: { ...fields } });
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** The service answers within 25 s. The rest is for a busy machine. */
export const LONGEST_ANSWER_MS = 60_000;

/** One request to any service. Fails when the answer is not one that the contract describes. */
export async function request(
  baseUrl: string,
  defaultKey: string | null,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<TestAnswer> {
  const answer = await send(baseUrl, defaultKey, method, path, options);
  assertInContract(method, path, answer);
  return answer;
}

/** Whether an answer is a stream of events, which has a text and no JSON. */
function isStream(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** One request to any service. Returns any answer. */
export async function send(
  baseUrl: string,
  defaultKey: string | null,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<TestAnswer> {
  const key = options.key === undefined ? defaultKey : options.key;
  const body = options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: body as never }),
    signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' || isStream(response.headers) ? undefined : JSON.parse(text),
  };
}

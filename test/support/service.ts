import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../config.ts';
import { type Service, startService } from '../../main.ts';
import { type Deps, keep, type Log } from '../../services/deps.ts';
import { createApiKey } from '../../services/merchants/create-api-key.ts';
import {
  createMerchant,
  type NewMerchantInput,
  type OnboardedMerchant,
} from '../../services/merchants/create-merchant.ts';
import { assertInContract } from './contract-check.ts';
import { testDatabase } from './database.ts';

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

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
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
  newMerchant(input?: Partial<NewMerchantInput>): Promise<OnboardedMerchant>;
  newKey(
    merchant: OnboardedMerchant,
    permissions?: readonly string[],
  ): Promise<{ id: string; apiKey: string }>;
  /** One request below /api/v1. Fails when the answer is not one that the contract describes. */
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly overrides?: Partial<Deps>;
}

/** Starts the whole service on a database of its own, with the simulated acquirer, on ports of its own. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'centavo-test-'));
  const log: LogLine[] = [];
  let service: Service;
  try {
    service = await startService(
      configFor(database.url, dataDir, options.env),
      memoryLog(log),
      options.overrides,
    );
  } catch (error) {
    await database.drop();
    throw error;
  }
  const merchant = await createMerchant(service.deps, { name: 'Loja de Teste' }, keep);
  const stop = async () => {
    await service.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    url: service.url!,
    internalUrl: service.internalUrl,
    databaseUrl: database.url,
    dataDir,
    deps: service.deps,
    log,
    merchant,
    newMerchant: (input = {}) => createMerchant(service.deps, { name: 'Outra Loja', ...input }, keep),
    newKey: async (of, permissions) => {
      const key = await createApiKey(service.deps, service.deps.db, of.merchant, {
        name: 'Test key',
        permissions: permissions ?? null,
      });
      return { id: key.record.id, apiKey: key.apiKey };
    },
    call: (method, path, call = {}) => request(service.url!, merchant.apiKey, method, path, call),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function configFor(databaseUrl: string, dataDir: string, env: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ PORT: '0', INTERNAL_PORT: '0', DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env });
}

function memoryLog(lines: LogLine[]): Log {
  const at = (level: LogLine['level']) => (fields: object, message: string) => {
    lines.push({ level, message, fields: { ...fields } });
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** The service answers within 25 s; the rest is for a machine that has much else to do. */
export const LONGEST_ANSWER_MS = 60_000;

/** A request to a service wherever it runs. Fails when the answer is not one that the contract describes. */
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

/** The same, whatever the answer is. */
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
    body: text === '' ? undefined : JSON.parse(text),
  };
}

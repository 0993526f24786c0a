import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readConfig } from '../../config.ts';
import { startService } from '../../main.ts';
import { dieWithUs } from './die-with-us.ts';
import type { MoneyService } from './money-service.ts';
import { request, type TestAnswer } from './service.ts';

const PROGRAM = join(import.meta.dirname, 'crashing-service.ts');
/** Most of a start is loading modules; a dozen of them start here. */
const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node');

function configBeside({ databaseUrl, dataDir }: MoneyService, role: string) {
  return { PORT: '0', INTERNAL_PORT: '0', ROLE: role, DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
}

export interface Fatal {
  readonly key: string;
  readonly path: string;
  readonly body?: object;
}

/** A service on the database of another that will kill itself at a moment. */
export interface DoomedService {
  /** Sends the requests of which it dies, each under the Idempotency-Key `k`. Fails when it answers one of them. */
  die(...fatal: Fatal[]): Promise<void>;
}

/** Starts one; it dies at `moment` of its only request, or of the last of so many. */
export async function startDoomed(
  beside: MoneyService,
  moment: string,
  requests = 1,
): Promise<DoomedService> {
  const env = {
    ...configBeside(beside, 'api'),
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    DIE_AT: moment,
    DIE_WITH: String(requests),
  };
  const child = dieWithUs(spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'], env }));
  const gone = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const [url] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  assert.ok(url, 'it ended before it listened');
  const send = async ({ key, path, body }: Fatal) => {
    const options = { idempotencyKey: 'k', ...(body && { body }) };
    const answer = await request(String(url), key, 'POST', path, options).catch(() => undefined);
    assert.equal(answer?.text, undefined, 'it answered and did not die');
  };
  return {
    async die(...fatal) {
      await Promise.all(fatal.map(send));
      assert.deepEqual(await gone, [null, 'SIGKILL']);
    },
  };
}

/** A new service on the database of another, its wall clock `ahead_ms` ahead; with the role `all` its jobs run. */
export async function startAfter(
  before: MoneyService,
  ahead_ms: number,
  role: 'api' | 'all' = 'api',
): Promise<MoneyService> {
  let ahead = ahead_ms;
  const silent = { info() {}, warn() {}, error() {} };
  const { url, deps, stop } = await startService(readConfig(configBeside(before, role)), silent, {
    wall: () => new Date(Date.now() + ahead),
  });
  return {
    ...before,
    url: url!,
    deps,
    control: deps.sandbox!,
    setAhead: (ms) => {
      ahead = ms;
    },
    rows: (sql, params = {}) => deps.db.anywhere(sql, params),
    call: (method, path, options): Promise<TestAnswer> =>
      request(url!, before.merchant.apiKey, method, path, options),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

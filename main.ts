import { once } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { type Service, startService } from './composition/service.ts';
import { type Config, readConfig } from './config.ts';

/** How long a start that is canceled may take, for example while a database does not answer. */
const CANCEL_LIMIT_MS = 10_000;

/**
 * The time limit of a shutdown. Requests in progress may take 28 s (`LONGEST_REQUEST_MS`, and 3 s more); then jobs and
 * connections end one after another.
 * The embedded Postgres shuts down by itself when this process ends.
 */
const STOP_LIMIT_MS = 60_000;

/**
 * The nice value of a worker. Beside an API process on a busy machine, it gets a quarter of a core's time: enough to
 * finish the work, which is never urgent to the millisecond, while requests do not wait for it.
 */
const WORKER_NICENESS = 5;

/** Runs the service until SIGINT or SIGTERM. A signal during the start cancels it. */
async function main(): Promise<void> {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }));
  const service = await Promise.race([
    startService(config, log, {}, ending.signal).catch((error: unknown) => {
      // Ctrl-C also stops the child processes of a start, which makes the start fail.
      if (!ending.signal.aborted) throw error;
    }),
    aborted(ending.signal).then(() => pause(CANCEL_LIMIT_MS)),
  ]);
  if (service) {
    freeStartMemory();
    if (config.role === 'worker') giveWayToRequests();
    process.stdout.write(welcome(service, config));
    await aborted(ending.signal);
    const hasStopped = await Promise.race([service.stop().then(() => true), pause(STOP_LIMIT_MS)]);
    if (!hasStopped) log.error({}, 'the shutdown timed out');
    process.exit(hasStopped ? 0 : 1);
  }
  process.exit(0);
}

/**
 * Frees the memory that only the start needed: an idle process then has about 120 MiB instead of 155. The space for new
 * objects has grown to its limit during the start, and V8 shrinks it only when it is asked to free all it can, which
 * takes 0.1 s. It grows again under load. Does nothing without `--expose-gc`.
 */
function freeStartMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * After the start: an embedded Postgres that this process has started keeps its priority, because requests wait for it.
 */
function giveWayToRequests(): void {
  try {
    setPriority(WORKER_NICENESS);
  } catch {
    // Not permitted, or the process has a lower priority already.
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** What the terminal shows once the service runs. */
function welcome({ url, internalUrl, demo, deps }: Service, config: Config): string {
  const lines =
    url === null
      ? ['Centavo is running, as a worker.']
      : [
          'Centavo is running.',
          `  API       ${url}/api/v1`,
          `  Docs      ${url}/docs`,
          `  Spec      ${url}/openapi.json`,
          `  Checkout  ${deps.checkoutBaseUrl()}/l/{hash}  (payment links; offers: /c/{hash} and /s/{hash})`,
        ];
  lines.push(`  Ready     ${internalUrl}/readyz`);
  if (config.environment === 'production') lines.push(...productionHints(config));
  if (demo !== null) lines.push(`  Key       ${demo.apiKey}  (demo merchant, sandbox)`);
  else if (config.environment === 'sandbox' && url !== null) {
    lines.push(
      `  Key       ${config.dataDir} does not hold the demo merchant's key. Create one: npm run -s admin -- key create --help`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Settings that production can run without, but should not. */
function productionHints({ databaseUrl, dataDir, acquirerUrl }: Config): string[] {
  return [
    ...(databaseUrl === null
      ? [`  DATABASE_URL is not set: the database is the embedded one in ${dataDir}.`]
      : []),
    ...(acquirerUrl === null ? ['  ACQUIRER_URL is not set: orders are answered with 503.'] : []),
  ];
}

/** One sentence for an error of a start. An error in the program itself is shown with its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`;
  const isProgramError = /^(Type|Reference|Range|Syntax)Error$/.test(error.name);
  return isProgramError || error.message === '' ? inspect(error) : error.message;
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}

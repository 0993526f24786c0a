import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Express } from 'express';
import { pino } from 'pino';
import { type Config, readConfig } from './config.ts';
import { clientClass } from './db/engine/connect.ts';
import { type Database, openDatabase } from './db/engine/database.ts';
import { startEmbeddedPostgres } from './db/engine/embedded-postgres.ts';
import { migrate } from './db/engine/migrate.ts';
import { type RetryStep, startRetries } from './db/engine/start-retries.ts';
import { connectAcquirer } from './gateway/connect.ts';
import { readNotification } from './gateway/notification.ts';
import { Admission } from './handlers/http/admission/admission.ts';
import { loadContract } from './handlers/http/contract.ts';
import { gatewayNotifications } from './handlers/http/gateway-notifications.ts';
import { onlyOwnHosts } from './handlers/http/host-names.ts';
import { buildInternalServer } from './handlers/http/internal-server.ts';
import { listenOn } from './handlers/http/listen.ts';
import { createMetrics, type Metrics } from './handlers/http/metrics.ts';
import { buildServer } from './handlers/http/server.ts';
import { handlers } from './handlers/index.ts';
import { presenters } from './handlers/presenters.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { backgroundJobs, CLOCKED_WORK, MERCHANT_TABLES } from './jobs/index.ts';
import { startJob } from './jobs/loop.ts';
import type { Deps, Log } from './services/deps.ts';
import { HostLookups } from './services/host-lookups.ts';
import { keyUsage } from './services/merchants/key-usage.ts';
import { bufferedRandom } from './services/random.ts';
import { assertReady, reportAlive } from './services/readiness.ts';
import { type DemoMerchant, demoMerchant } from './services/sandbox/demo-merchant.ts';
import { UpstreamCalls } from './services/upstream-calls.ts';
import { openKeyedHash } from './services/vault/keyed-hash.ts';
import { localSecrets } from './services/vault/local-secrets.ts';
import { openVault } from './services/vault/vault.ts';
import { type BuiltSite, readBuiltSite } from './web/built-site.ts';
import { contractPages } from './web/contract-pages.ts';
import { docsPages } from './web/docs-pages.ts';
import { libraryPages } from './web/library-pages.ts';

/** A running service. */
export interface Service {
  /** Address of the public listener; null in the role `worker`. */
  readonly url: string | null;
  readonly internalUrl: string;
  readonly deps: Deps;
  /** The sandbox's demo merchant; null in production and in the role `worker`. */
  readonly demo: DemoMerchant | null;
  /** Finishes what is under way, gives leases back, stops everything that `startService` started. */
  stop(): Promise<void>;
}

/**
 * Wires the parts together and starts what the role asks for. Whatever was started is stopped again when a later
 * part fails to start, or when `giveUp` is told between two of them. `overrides` are for tests: a clock, a recovery
 * point.
 */
export async function startService(
  config: Config,
  log: Log,
  overrides: Partial<Deps> = {},
  giveUp: AbortSignal = new AbortController().signal,
): Promise<Service> {
  const site = config.role === 'worker' ? null : readBuiltSite();
  const cleanUp = new AsyncDisposableStack();
  try {
    const onRetry = (reason: string) =>
      log.warn({ reason }, 'the database is not available, retrying the start');
    const retry = startRetries({ onRetry, signal: giveUp });
    const { gateway, secret, ...stores } = await openStores({ config, log, retry, cleanUp, giveUp });
    const upstreamCalls = new UpstreamCalls();
    const metrics = createMetrics();
    const deps: Deps = {
      environment: config.environment,
      ...stores,
      acquirer: upstreamCalls.trackAcquirer(gateway.acquirer),
      sandbox: gateway.sandbox,
      present: presenters,
      upstreamCalls,
      hostLookups: new HostLookups(),
      allowPrivateDestinations: config.allowPrivateDestinations,
      log,
      wall: () => new Date(),
      random: bufferedRandom(),
      clockedWork: CLOCKED_WORK,
      merchantTables: MERCHANT_TABLES,
      countDiscrepancy: (labels) => metrics.discrepancies.inc(labels),
      reached: () => {},
      ...overrides,
    };
    let demo: DemoMerchant | null = null;
    const workerId = config.role === 'api' ? null : randomUUID();
    if (workerId !== null) await retry(() => reportAlive(deps, workerId));
    const addPages = site === null ? () => {} : pagesOf(site, config, () => demo);
    const parts = { secret, addPages, metrics, workerId };
    const listening = await listen(config, deps, parts, cleanUp);
    gateway.notifyAt(`${listening.url ?? listening.internalUrl}/gateway/notifications`);
    // Made by who shows it; any number of them make one.
    const servesDemo = config.environment === 'sandbox' && config.role !== 'worker';
    demo = servesDemo ? await retry(() => demoMerchant(deps, config.dataDir)) : null;
    giveUp.throwIfAborted();
    return { ...listening, deps, demo, stop: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
}

interface Secrets {
  readonly vaultKeys: readonly Buffer[];
  readonly keyPepper: string;
  readonly acquirerSecret: string;
}

async function secretsOf(config: Config): Promise<Secrets> {
  const { vaultKeys, keyPepper, acquirerUrl, environment } = config;
  // Without an acquirer nobody signs anything: what nobody knows lets nobody in.
  const noAcquirer = environment === 'production' && acquirerUrl === null;
  const acquirerSecret = noAcquirer ? randomBytes(32).toString('hex') : config.acquirerSecret;
  if (vaultKeys !== null && keyPepper !== null && acquirerSecret !== null) {
    return { vaultKeys, keyPepper, acquirerSecret };
  }
  const local = await localSecrets(config.dataDir);
  return {
    vaultKeys: vaultKeys ?? [local.vaultKey],
    keyPepper: keyPepper ?? local.keyPepper,
    acquirerSecret: acquirerSecret ?? local.acquirerSecret,
  };
}

/** What the steps of a start have in common. */
interface Start {
  readonly config: Config;
  readonly log: Log;
  readonly retry: RetryStep;
  readonly cleanUp: AsyncDisposableStack;
  readonly giveUp: AbortSignal;
}

/** The database, what its secrets open, and the acquirer with the secret that it shares. */
async function openStores(start: Start) {
  const { config, log, retry, cleanUp, giveUp } = start;
  const { db, databaseUrl } = await startDatabase(start);
  const { vaultKeys, keyPepper, acquirerSecret: secret } = await secretsOf(config);
  const vault = await retry(() => openVault(db, vaultKeys));
  const hash = await retry(() => openKeyedHash(db, keyPepper));
  const books = { databaseUrl, Client: clientClass(databaseUrl) };
  const options = { environment: config.environment, url: config.acquirerUrl, secret, ...books, log };
  const gateway = await retry(() => connectAcquirer(options, cleanUp));
  giveUp.throwIfAborted();
  return { db, vault, hash, gateway, secret };
}

/** The database of `DATABASE_URL` or the embedded one, at the newest schema. */
async function startDatabase({
  config,
  log,
  retry,
  cleanUp,
  giveUp,
}: Start): Promise<{ db: Database; databaseUrl: string }> {
  const logLine = (line: string) => log.info({}, line);
  let databaseUrl = config.databaseUrl;
  if (databaseUrl === null) {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log: logLine });
    cleanUp.defer(() => embedded.stop());
    databaseUrl = embedded.url;
  }
  giveUp.throwIfAborted();
  const url = databaseUrl;
  await retry(() => migrate(url, config.environment, logLine));
  giveUp.throwIfAborted();
  const db = openDatabase({ url: databaseUrl, maxConnections: config.databasePool });
  cleanUp.defer(() => db.close());
  return { db, databaseUrl };
}

/** What adds the contract, the card library and the docs to the public listener. */
function pagesOf(site: BuiltSite, { environment, publicHosts }: Config, demo: () => DemoMerchant | null) {
  const isSandbox = environment === 'sandbox';
  return (app: Express) => {
    app.use(contractPages(), libraryPages(site));
    // The sandbox's docs give out the demo key.
    if (isSandbox) app.use('/docs', onlyOwnHosts(publicHosts));
    app.use(docsPages(site, { isSandbox, demo }));
  };
}

interface Parts {
  /** Shared with the acquirer. */
  readonly secret: string;
  /** Adds the contract, the card library and the docs to the public listener. */
  readonly addPages: (app: Express) => void;
  readonly metrics: Metrics;
  /** Null in the role `api`. */
  readonly workerId: string | null;
}

/** Both listeners and the background jobs, by the role. */
async function listen(
  config: Config,
  deps: Deps,
  { secret, addPages, metrics, workerId }: Parts,
  cleanUp: AsyncDisposableStack,
): Promise<{ url: string | null; internalUrl: string }> {
  const usage = keyUsage(deps.db);
  const jobs = [
    ...(workerId === null ? [] : backgroundJobs(deps)),
    ...housekeeping(deps, usage, workerId),
  ].map((job) => startJob(job, deps.log));
  cleanUp.defer(async () => {
    await Promise.all(jobs.map((job) => job.stop()));
    await usage.flush().catch(() => {});
  });

  const ready = () => assertReady(deps);
  const admission = new Admission(config.maxInFlight, deps.upstreamCalls, metrics, deps.log);
  const notifications = gatewayNotifications(deps, admission, (headers, body, wall_ms) =>
    readNotification(headers, body, secret, wall_ms),
  );
  const { publicHosts } = config;
  const internal = buildInternalServer({ metrics, ready, publicHosts, notifications, log: deps.log });
  const internalUrl = await listenOn(
    internal,
    { port: config.internalPort, host: '127.0.0.1', variable: 'INTERNAL_PORT' },
    cleanUp,
  );
  if (config.role === 'worker') return { url: null, internalUrl };

  const server = await buildServer({
    deps,
    contract: loadContract(),
    handlers,
    metrics,
    admission,
    ready,
    keyUsed: ({ principal }) => usage.used(principal!.merchant, principal!.keyId, deps.wall()),
    notifications,
    addPages,
  });
  return {
    url: await listenOn(server, { port: config.port, host: config.host, variable: 'PORT' }, cleanUp),
    internalUrl,
  };
}

/** For the person at the terminal; a worker has no address but its internal one. */
function welcome({ url, internalUrl, demo }: Service, config: Config): string {
  const lines =
    url === null
      ? ['Centavo is running, as a worker.']
      : [
          'Centavo is running.',
          `  API    ${url}/api/v1`,
          `  Docs   ${url}/docs`,
          `  Spec   ${url}/openapi.json`,
        ];
  lines.push(`  Ready  ${internalUrl}/readyz`);
  if (config.environment === 'production') lines.push(...reminders(config));
  if (demo !== null) lines.push(`  Key    ${demo.apiKey}  (demo merchant, sandbox)`);
  else if (config.environment === 'sandbox' && url !== null) {
    lines.push(
      `  Key    the demo merchant's is not in ${config.dataDir}: npm run -s admin -- key create --help`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** A start that is to be given up and hangs all the same, on a database that does not answer, is cut off. */
const GIVE_UP_MS = 10_000;

/**
 * A stop that hangs is cut off. Requests under way may take 28 s, then jobs and connections end one after the other. The
 * embedded Postgres shuts itself down when this process ends.
 */
const STOP_LIMIT_MS = 60_000;

/** Runs the service until SIGINT or SIGTERM, both heard from the first moment: a start under way is undone. */
async function main(): Promise<void> {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort());
  const config = readConfig(process.env);
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }));
  const service = await Promise.race([
    startService(config, log, {}, ending.signal).catch((error: unknown) => {
      // Ctrl-C also reaches what the start runs, which then fails.
      if (!ending.signal.aborted) throw error;
    }),
    ended(ending.signal).then(() => pause(GIVE_UP_MS)),
  ]);
  if (service) {
    process.stdout.write(welcome(service, config));
    await ended(ending.signal);
    const hasStopped = await Promise.race([service.stop().then(() => true), pause(STOP_LIMIT_MS)]);
    if (!hasStopped) log.error({}, 'the stop took too long and was cut off');
    process.exit(hasStopped ? 0 : 1);
  }
  process.exit(0);
}

async function ended(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** What production can do without, but should not. */
function reminders({ databaseUrl, dataDir, acquirerUrl }: Config): string[] {
  return [
    ...(databaseUrl === null
      ? [`  The database is the embedded one in ${dataDir}: DATABASE_URL is not set.`]
      : []),
    ...(acquirerUrl === null ? ['  Orders are answered with 503: ACQUIRER_URL is not set.'] : []),
  ];
}

/** What stops a start is told in one sentence; a mistake in the program itself also shows where it happened. */
function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`;
  const isMistake = /^(Type|Reference|Range|Syntax)Error$/.test(error.name);
  return isMistake || error.message === '' ? inspect(error) : error.message;
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    process.stderr.write(`${whyNot(error)}\n`);
    process.exit(1);
  });
}

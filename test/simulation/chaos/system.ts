import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../db/engine/embedded-postgres.ts';
import { migrate } from '../../../db/engine/migrate.ts';
import { migrateSimulator } from '../../../gateway/simulator/migrate.ts';
import { sql } from '../../support/db/embedded-postgres.ts';
import type { Home } from '../../support/service.ts';
import { RestartingProcess } from './restarting-process.ts';

/**
 * What is killed: a process of the service, the acquirer, the Postgres server, one of its connections (as an
 * administrator ends it), or the server process of a connection (which makes Postgres end all others and recover).
 */
export type Victim = 'api' | 'worker' | 'acquirer' | 'postgres' | 'connection' | 'backend';

/** The killed processes start again on the same ports. Outgoing connections use higher ports. */
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 30_000;

/**
 * A whole installation: Postgres, the simulated acquirer, an API process and a worker, all of which start again when
 * they end.
 */
export class System implements AsyncDisposable {
  readonly home: Home;
  readonly url: string;
  /** For a service that takes part: the variables besides those of its database. */
  readonly env: Readonly<Record<string, string>>;
  readonly #cleanUp: AsyncDisposableStack;
  readonly #processes: Readonly<Record<'api' | 'worker' | 'acquirer', RestartingProcess>>;

  private constructor(
    home: Home,
    env: Readonly<Record<string, string>>,
    log: number,
    cleanUp: AsyncDisposableStack,
  ) {
    this.home = home;
    this.env = env;
    this.url = `http://127.0.0.1:${env.PORT}`;
    this.#cleanUp = cleanUp;
    const common = { ...env, DATABASE_URL: home.databaseUrl, DATA_DIR: home.dataDir, LOG_LEVEL: 'error' };
    const NOTIFICATION_URL = `${this.url}/gateway/notifications`;
    this.#processes = {
      acquirer: new RestartingProcess(
        'test/simulation/chaos/acquirer-program.ts',
        { ...common, NOTIFICATION_URL },
        log,
      ),
      api: new RestartingProcess('main.ts', { ...common, ROLE: 'api' }, log),
      worker: new RestartingProcess('main.ts', { ...common, ROLE: 'worker' }, log),
    };
    for (const process of Object.values(this.#processes)) cleanUp.defer(() => process.stop());
  }

  /** Starts Postgres, lets `prepare` fill the database, and starts the processes. */
  static async start(
    prepare: (home: Home, env: Readonly<Record<string, string>>) => Promise<void>,
  ): Promise<System> {
    await using cleanUp = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), 'centavo-chaos-'));
    cleanUp.defer(() => rm(dataDir, { recursive: true, force: true }));
    mkdirSync(dataDir, { recursive: true });
    // The kernel keeps what a killed process has written, so fsync would only cost time here.
    const settings = { fsync: 'off', full_page_writes: 'off' };
    const postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, settings });
    cleanUp.defer(() => postgres.stop());
    await migrate(postgres.url, 'sandbox');
    await migrateSimulator(postgres.url);
    const home = { databaseUrl: postgres.url, dataDir };
    const env = {
      PORT: `${await freePort()}`,
      INTERNAL_PORT: '0',
      ACQUIRER_URL: `http://127.0.0.1:${await freePort()}`,
      ACQUIRER_SECRET: randomBytes(32).toString('hex'),
      // The receiver of webhooks is on this machine, and so are the buyers, who name their addresses.
      ALLOW_PRIVATE_DESTINATIONS: 'true',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    await prepare(home, env);
    const log = openSync(join(dataDir, 'processes.log'), 'a');
    cleanUp.defer(() => closeSync(log));
    return new System(home, env, log, cleanUp.move());
  }

  /** Kills it. Returns false if there was nothing to kill: it has not started again since the last time. */
  async kill(victim: Victim, pick: number): Promise<boolean> {
    if (victim === 'postgres') return kill(postmasterPid(this.home.dataDir));
    if (victim !== 'connection' && victim !== 'backend') return this.#processes[victim].kill();
    const pid = await this.#backend(pick).catch(() => undefined);
    if (pid === undefined) return false;
    if (victim === 'backend') return kill(pid);
    return sql(this.home.databaseUrl, `select pg_terminate_backend(${pid})`).then(
      () => true,
      () => false,
    );
  }

  /** Ends the API process and the worker for good. */
  async stopService(): Promise<void> {
    await Promise.all([this.#processes.api.stop(), this.#processes.worker.stop()]);
  }

  /** How often the processes have logged each error. */
  errors(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    const lines = readFileSync(join(this.home.dataDir, 'processes.log'), 'utf8').split('\n').filter(Boolean);
    for (const line of lines) {
      const message = line.startsWith('{') ? String(JSON.parse(line).msg) : line;
      counts.set(message, (counts.get(message) ?? 0) + 1);
    }
    return counts;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanUp.disposeAsync();
  }

  /** The process id of a connection's backend. Connections with a statement in progress come first. */
  async #backend(pick: number): Promise<number | undefined> {
    const rows = await sql(
      this.home.databaseUrl,
      `select pid from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()
        order by state = 'idle', pid limit 8`,
    );
    return rows[pick % (rows.length || 1)]?.pid as number | undefined;
  }
}

function postmasterPid(dataDir: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8'), 10);
  } catch {
    return undefined;
  }
}

function kill(pid: number | undefined): boolean {
  try {
    return pid !== undefined && pid > 1 && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** A free port below those that the kernel chooses for outgoing connections. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    const server = createServer();
    const isFree = await Promise.race([
      once(server.listen(port, '127.0.0.1'), 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    server.close();
    if (isFree) return port;
  }
}

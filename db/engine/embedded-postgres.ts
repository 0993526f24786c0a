/**
 * The Postgres that runs when DATABASE_URL is unset: real server binaries from npm, one cluster per data directory.
 *
 * dataDir/postgres/data            the cluster, mode 0700; the socket is inside, so only its owner can connect
 * dataDir/postgres/server.log      the log of the running server; .1 is the log of the run before
 * dataDir/postgres/start.lock      held while a process creates or starts the cluster
 * dataDir/postgres/binaries-*      a copy of the npm package, if that cannot be used in place
 *                                  (for root that copy is /var/cache/centavo/binaries-*)
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBinaries } from './embedded/binaries.ts';
import { type Cluster, createCluster, describeCluster } from './embedded/cluster.ts';
import { adoptServer, connectionOf, POLL_MS, type RunningServer, startServer } from './embedded/server.ts';
import { serverPid, shutdownMonitor } from './embedded/shutdown.ts';
import { type StartLimits, takeStartLock } from './embedded/start-lock.ts';

export interface EmbeddedPostgresOptions {
  /** The service's data directory; created when missing. */
  dataDir: string;
  /** Further server settings. Tests, whose clusters may be lost, set `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** Receives a sentence for people, such as that the server was restarted. */
  log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** The options of `pg`. The host is the directory of the socket. */
  readonly connection: { host: string; port: number; user: string; database: string };
  /** The same as a URL, for DATABASE_URL and for other programs. */
  readonly url: string;
  /** False while the server belongs to another process. `stop` leaves such a server running. */
  readonly owned: boolean;
  /**
   * Shuts an owned server down. Open connections break; nothing committed is lost. Takes at most about 15 seconds, even
   * if the server does not end by itself. Can be called twice.
   */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000; // long, because a start after a crash replays the log first
const RECOVERY_PAUSE_MS = 250;
const RECOVERY_PAUSE_MAX_MS = 10_000;

/**
 * Starts the embedded Postgres of a data directory. Creates its cluster the first time. If another process already runs
 * the server, this process uses it: an admin command uses the server of the service.
 *
 * - An owned server was started by this process. It is restarted if it dies, and it ends with this process, even after
 *   kill -9. It does not keep the process from exiting.
 * - A server of another process ends with that process. Connections to it break, and this process then starts and owns
 *   a new one.
 *
 * Postgres refuses to run as root. For root it runs as the owner of the cluster: `postgres`, or else `nobody`, when the
 * cluster is created.
 * @throws Error with a sentence for a person, and the end of the server's log if there is one
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = describeCluster(options.dataDir, options.settings ?? {});
  const log = options.log ?? (() => {});
  const stopping = new AbortController();
  let recovery: Promise<void> | undefined;
  let server = await adoptOrStart(cluster, stopping.signal, log);

  const recover = async () => {
    log('The embedded Postgres has ended. Starting it again.');
    const { signal } = stopping;
    for (
      let pause_ms = RECOVERY_PAUSE_MS;
      !signal.aborted;
      pause_ms = Math.min(2 * pause_ms, RECOVERY_PAUSE_MAX_MS)
    ) {
      try {
        server = await adoptOrStart(cluster, signal, log);
        return watch();
      } catch (error) {
        if (!signal.aborted) log((error as Error).message);
        await pause(pause_ms, undefined, { ref: false, signal }).catch(() => {});
      }
    }
  };
  const watch = () => {
    server.ended.then(() => {
      if (!stopping.signal.aborted) recovery = recover();
    });
  };
  watch();

  return {
    ...connectionOf(cluster),
    get owned() {
      return server.owned;
    },
    async stop() {
      stopping.abort();
      await recovery;
      await server.stop();
    },
  };
}

async function adoptOrStart(
  cluster: Cluster,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<RunningServer> {
  const running = await adoptServer(cluster);
  if (running) return running;
  const limits = { deadline: performance.now() + START_TIMEOUT_MS, signal };
  const unlock = await takeStartLock(join(cluster.home, 'start.lock'), limits);
  try {
    const adopted = await adoptOrWaitForEnd(cluster, limits);
    if (adopted) return adopted;
    const binaries = findBinaries(cluster.home, cluster.user);
    if (!existsSync(join(cluster.data, 'PG_VERSION'))) {
      await createCluster(cluster, binaries);
      log(`Created a Postgres cluster in ${cluster.data}.`);
    }
    rmSync(join(cluster.data, 'postmaster.pid'), { force: true }); // stale: another process may have its pid by now
    return await startWhenFree(cluster, binaries, limits);
  } finally {
    unlock();
  }
}

/**
 * Waits while a server runs that does not answer: it is starting, or it is stopping because its owner has just died.
 * Resolves to the server when it answers, or to undefined when it has ended.
 */
async function adoptOrWaitForEnd(
  cluster: Cluster,
  { deadline, signal }: StartLimits,
): Promise<RunningServer | undefined> {
  const isStopping = shutdownMonitor(cluster);
  while (serverPid(cluster) !== undefined) {
    const adopted = isStopping() ? undefined : await adoptServer(cluster);
    if (adopted) return adopted;
    if (performance.now() > deadline) {
      throw new Error(`The Postgres in ${cluster.data} runs but accepts no connection.`);
    }
    await pause(POLL_MS, undefined, { signal });
  }
  return undefined;
}

/** Starts the server. Retries while backends of a killed server still hold its shared memory. */
async function startWhenFree(
  cluster: Cluster,
  binaries: string,
  limits: StartLimits,
): Promise<RunningServer> {
  for (;;) {
    try {
      return await startServer(cluster, binaries, limits);
    } catch (error) {
      const isHeld = /shared memory block .*is still in use/.test((error as Error).message);
      if (!isHeld || performance.now() > limits.deadline) throw error;
      await pause(RECOVERY_PAUSE_MS, undefined, { signal: limits.signal });
    }
  }
}

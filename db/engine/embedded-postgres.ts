/**
 * The Postgres that runs when DATABASE_URL is unset: real server binaries from npm, one cluster per data directory.
 *
 * dataDir/postgres/data            the cluster, 0700; its private socket lies inside, so only its owner connects
 * dataDir/postgres/server.log      what the running server said; .1 is the run before
 * dataDir/postgres/start.lock      held while a process creates or starts the cluster
 * dataDir/postgres/binaries-*      a copy of the npm package, only where that cannot be used in place
 *                                  (for root that copy is /var/cache/centavo/binaries-*)
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBinaries } from './embedded/binaries.ts';
import { type Cluster, createCluster, describeCluster } from './embedded/cluster.ts';
import { adoptServer, connectionOf, POLL_MS, type RunningServer, startServer } from './embedded/server.ts';
import { serverPid, shutdownMonitor } from './embedded/shutdown.ts';
import { type Patience, takeStartLock } from './embedded/start-lock.ts';

export interface EmbeddedPostgresOptions {
  /** The service's data directory; created when missing. */
  dataDir: string;
  /** Server settings beside our own, for a cluster that may be lost: a test's takes `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** Receives a sentence when something a person may want to know has happened. */
  log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** For `pg`: the host is the directory of the socket. */
  readonly connection: { host: string; port: number; user: string; database: string };
  /** The same as a URL, for DATABASE_URL and for other programs. */
  readonly url: string;
  /** False while the server is another process's, which is used but left alone. */
  readonly owned: boolean;
  /**
   * Shuts an owned server down: open connections break, nothing committed is lost. Ends within some 15 seconds, also
   * where the server does not end by itself. May be called twice.
   */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000; // generous: a start after a crash replays the log first
const RECOVERY_PAUSE_MS = 250;
const RECOVERY_PAUSE_MAX_MS = 10_000;

/**
 * Starts the embedded Postgres of a data directory, creating its cluster the first time; a server that already
 * runs there (the service's, while an admin command is used) is adopted. An adopted server ends with its owner:
 * connections to it then break, and whoever adopted it starts it again as its new owner. So is an owned server
 * that dies. An owned server ends with this process, even after kill -9, and does not keep it from exiting.
 * As root the server runs as the cluster's owner, at first `postgres` or else `nobody`: Postgres refuses root.
 * @throws Error with a sentence for people, and the end of the server's log where there is one
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = describeCluster(options.dataDir, options.settings ?? {});
  const log = options.log ?? (() => {});
  const stopping = new AbortController();
  let recovery: Promise<void> | undefined;
  let server = await adoptOrStart(cluster, stopping.signal, log);

  const recover = async () => {
    log('The embedded Postgres has ended: starting it again.');
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
  const patience = { deadline: performance.now() + START_TIMEOUT_MS, signal };
  const unlock = await takeStartLock(join(cluster.home, 'start.lock'), patience);
  try {
    const adopted = await adoptOrOutlive(cluster, patience);
    if (adopted) return adopted;
    const binaries = findBinaries(cluster.home, cluster.user);
    if (!existsSync(join(cluster.data, 'PG_VERSION'))) {
      await createCluster(cluster, binaries);
      log(`Created a Postgres cluster in ${cluster.data}.`);
    }
    rmSync(join(cluster.data, 'postmaster.pid'), { force: true }); // stale: its pid may be another process's by now
    return await startWhenFree(cluster, binaries, patience);
  } finally {
    unlock();
  }
}

/**
 * Waits while a server that does not answer is alive: it is starting, or it is stopping because its owner has just
 * died. Resolves to the server once it answers, or to undefined once it is gone.
 */
async function adoptOrOutlive(
  cluster: Cluster,
  { deadline, signal }: Patience,
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

/** Starts the server; again while backends of one that was killed still hold its shared memory. */
async function startWhenFree(cluster: Cluster, binaries: string, patience: Patience): Promise<RunningServer> {
  for (;;) {
    try {
      return await startServer(cluster, binaries, patience);
    } catch (error) {
      const isHeld = /shared memory block .*is still in use/.test((error as Error).message);
      if (!isHeld || performance.now() > patience.deadline) throw error;
      await pause(RECOVERY_PAUSE_MS, undefined, { signal: patience.signal });
    }
  }
}

/**
 * The Postgres that runs when DATABASE_URL is unset: real server binaries from npm, one cluster per data directory.
 *
 * dataDir/postgres/data            the cluster, 0700; its private socket lies inside, so only its owner connects
 * dataDir/postgres/server.log      what the running server said; .1 is the run before
 * dataDir/postgres/start.lock      held while a process creates or starts the cluster
 * dataDir/postgres/binaries-*      a copy of the npm package, only where that cannot be used in place
 *                                  (for root that copy is /var/cache/centavo/binaries-*)
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBinaries } from './embedded/binaries.ts';
import { type Cluster, createCluster, describeCluster } from './embedded/cluster.ts';
import { connectionOf, isAlive, isAnswering, POLL_MS, shutDown, startServer } from './embedded/server.ts';
import { takeStartLock } from './embedded/start-lock.ts';

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
  /** False when another process started the server, which is then used but left alone. */
  readonly owned: boolean;
  /** Shuts an owned server down: open connections break, nothing committed is lost. May be called twice. */
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000; // generous: a start after a crash replays the log first
const RESTART_PAUSE_MS = 250; // orphaned backends hold the shared memory for a moment

/**
 * Starts the embedded Postgres of a data directory, creating its cluster the first time; a server that already
 * runs there (the service's, while an admin command is used) is adopted. An adopted server ends with its owner, and
 * connections to it then break: good enough for a command or a test. An owned server ends with this process, even
 * after kill -9; should it end earlier, it is started again. Nothing here keeps the process from exiting.
 * As root the server runs as the cluster's owner, at first `postgres` or else `nobody`: Postgres refuses root.
 * @throws Error with a sentence for people, and the end of the server's log where there is one
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = describeCluster(options.dataDir, options.settings ?? {});
  const log = options.log ?? (() => {});
  let stopping = false;
  let recovery: Promise<void> | undefined;
  let server = await adoptOrStart(cluster, log);

  const restart = async () => {
    log('The embedded Postgres ended unexpectedly: starting it again.');
    while (!stopping) {
      try {
        server = await adoptOrStart(cluster, log);
        return watch();
      } catch (error) {
        log((error as Error).message);
        await pause(RESTART_PAUSE_MS);
      }
    }
  };
  const watch = () => {
    server?.once('exit', () => {
      if (!stopping) recovery = restart();
    });
  };
  watch();

  return {
    ...connectionOf(cluster),
    get owned() {
      return server !== undefined;
    },
    async stop() {
      stopping = true;
      await recovery;
      if (server) await shutDown(server);
    },
  };
}

/** The server this process started, or undefined when one that runs already was adopted. */
async function adoptOrStart(
  cluster: Cluster,
  log: (line: string) => void,
): Promise<ChildProcess | undefined> {
  if (await isAnswering(cluster)) return undefined;
  const deadline = performance.now() + START_TIMEOUT_MS;
  const unlock = await takeStartLock(join(cluster.home, 'start.lock'), deadline);
  try {
    // Alive without an answer is a server that is starting, or one that is stopping since its owner has just died.
    while (isAlive(cluster)) {
      if (await isAnswering(cluster)) return undefined;
      if (performance.now() > deadline)
        throw new Error(`The Postgres in ${cluster.data} runs but does not answer.`);
      await pause(POLL_MS);
    }
    const binaries = findBinaries(cluster.home, cluster.user);
    if (!existsSync(join(cluster.data, 'PG_VERSION'))) {
      await createCluster(cluster, binaries);
      log(`Created a Postgres cluster in ${cluster.data}.`);
    }
    rmSync(join(cluster.data, 'postmaster.pid'), { force: true }); // stale: its pid may be another process's by now
    return await startServer(cluster, binaries, deadline);
  } finally {
    unlock();
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type Cluster, clusterName, dataArgument, processOptions, SOCKET_PORT } from './cluster.ts';
import { WATCHED_SERVER } from './shutdown.ts';
import { readOrEmpty, type StartLimits } from './start-lock.ts';

export const POLL_MS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const LOG_TAIL_CHARACTERS = 2_000;

const SETTINGS = {
  listen_addresses: '',
  port: `${SOCKET_PORT}`,
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The client gets the error of a failed statement. In the log it would leave the values of a row.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
};

/** The connection to a cluster as its superuser, for `pg` and as a URL. */
export function connectionOf({ socket }: Cluster) {
  const connection = { host: socket, port: SOCKET_PORT, user: 'postgres', database: 'postgres' };
  // URL parsers require a host, so this is a placeholder. `pg` and libpq use the parameter.
  const url = `postgres://postgres@localhost:${SOCKET_PORT}/postgres?host=${encodeURIComponent(socket)}`;
  return { connection, url };
}

/** A running server: a child of this process, or a server of another process. */
export interface RunningServer {
  owned: boolean;
  /** Resolves when the server has ended. */
  ended: Promise<unknown>;
  /**
   * Shuts an owned server down and waits until it has ended, at most about 15 seconds. For a server of another process
   * it only closes the connection.
   */
  stop(): Promise<void>;
}

/** The server that already runs in this cluster, if any. An idle connection shows when it ends. */
export async function adoptServer(cluster: Cluster): Promise<RunningServer | undefined> {
  const client = await connect(cluster);
  if (!client) return undefined;
  const ended = new Promise((resolve) => client.once('end', resolve));
  client.unref();
  const stop = () => {
    client.ref(); // without this, a process that only waits for the end would exit before
    return client.end();
  };
  return { owned: false, ended, stop };
}

/**
 * @types/pg lacks ref and unref.
 */
type IdleClient = Client & { ref(): void; unref(): void };

/** A connection, or undefined when there is no server, or it is starting up, shutting down, or full. */
async function connect(cluster: Cluster): Promise<IdleClient | undefined> {
  const { connection } = connectionOf(cluster);
  const client = new Client({ ...connection, ssl: false, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {}); // `end` follows
  try {
    await client.connect();
    return client as IdleClient;
  } catch {
    await client.end();
    return undefined;
  }
}

/**
 * Starts the server and waits until it answers.
 * @throws Error with the end of the server's log when the server ends, the deadline passes, or the signal aborts
 */
export async function startServer(
  cluster: Cluster,
  binaries: string,
  { deadline, signal }: StartLimits,
): Promise<RunningServer> {
  const logPath = join(cluster.home, 'server.log');
  if (existsSync(logPath)) renameSync(logPath, `${logPath}.1`);
  const child = spawnServer(cluster, binaries, logPath);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    shutdownPipe(child).destroy();
    if (!hasEnded()) child.ref();
    await ended;
  };
  for (;;) {
    const client = await connect(cluster);
    if (client) {
      await client.end();
      return { owned: true, ended, stop };
    }
    if (hasEnded() || signal.aborted || performance.now() > deadline) {
      await stop();
      const tail = readOrEmpty(logPath).slice(-LOG_TAIL_CHARACTERS);
      throw new Error(`Postgres did not start in ${cluster.data}. Its log:\n${tail}`);
    }
    await pause(POLL_MS);
  }
}

function spawnServer(cluster: Cluster, binaries: string, logPath: string): ChildProcess {
  const settings = {
    ...SETTINGS,
    ...cluster.settings,
    unix_socket_directories: cluster.socket === cluster.data ? '.' : cluster.socket, // `.` is always short enough
    cluster_name: clusterName(cluster),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postgres = [
    join(binaries, 'native/bin/postgres'),
    '-D',
    dataArgument(cluster, cluster.data),
    ...flags,
  ];
  const log = openSync(logPath, 'w', 0o600);
  const child = spawn('/bin/sh', ['-c', WATCHED_SERVER, 'sh', ...postgres], {
    ...processOptions(cluster, cluster.data),
    detached: true, // Ctrl-C in a terminal must not reach the server: current requests still need it
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  child.unref();
  shutdownPipe(child).unref();
  shutdownPipe(child).on('error', () => {}); // its end is seen as the exit of the child
  return child;
}

/** Our end of file descriptor 3 of WATCHED_SERVER. */
const shutdownPipe = (child: ChildProcess) => child.stdio[3] as Socket;

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type Cluster, clusterName, dataArgument, processOptions, SOCKET_PORT } from './cluster.ts';
import { WATCHED_SERVER } from './shutdown.ts';
import { type Patience, readOrEmpty } from './start-lock.ts';

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
  // A failed statement is told to its client; in the log it would leave the values of somebody's row.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
};

/** How to connect to a cluster as its superuser: for `pg`, and as a URL. */
export function connectionOf({ socket }: Cluster) {
  const connection = { host: socket, port: SOCKET_PORT, user: 'postgres', database: 'postgres' };
  // The host of the URL is a placeholder that URL parsers ask for; `pg` and libpq prefer the parameter.
  const url = `postgres://postgres@localhost:${SOCKET_PORT}/postgres?host=${encodeURIComponent(socket)}`;
  return { connection, url };
}

/** A server as this process sees it: its own child, or another's that it uses. */
export interface RunningServer {
  owned: boolean;
  /** Resolves when the server has ended, whoever ended it. */
  ended: Promise<unknown>;
  /**
   * Shuts an owned server down and waits until it has ended, at most some 15 seconds; of another process's server only
   * the connection ends.
   */
  stop(): Promise<void>;
}

/** The server that answers in this cluster already, if one does; an idle connection tells when it ends. */
export async function adoptServer(cluster: Cluster): Promise<RunningServer | undefined> {
  const client = await connect(cluster);
  if (!client) return undefined;
  const ended = new Promise((resolve) => client.once('end', resolve));
  client.unref();
  const stop = () => {
    client.ref(); // or a process that only waits for this would exit before it is done
    return client.end();
  };
  return { owned: false, ended, stop };
}

/** @types/pg leaves out ref and unref. */
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
 * @throws Error with the end of the server's log when it ends, the deadline passes or the signal aborts
 */
export async function startServer(
  cluster: Cluster,
  binaries: string,
  { deadline, signal }: Patience,
): Promise<RunningServer> {
  const logPath = join(cluster.home, 'server.log');
  if (existsSync(logPath)) renameSync(logPath, `${logPath}.1`);
  const child = spawnServer(cluster, binaries, logPath);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    lifeline(child).destroy();
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
      throw new Error(`Postgres did not start in ${cluster.data}. It said:\n${tail}`);
    }
    await pause(POLL_MS);
  }
}

function spawnServer(cluster: Cluster, binaries: string, logPath: string): ChildProcess {
  const settings = {
    ...SETTINGS,
    ...cluster.settings,
    unix_socket_directories: cluster.socket === cluster.data ? '.' : cluster.socket, // `.` is never too long
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
    detached: true, // Ctrl-C in a terminal is for us: requests under way still need the database
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  child.unref();
  lifeline(child).unref();
  lifeline(child).on('error', () => {}); // its end is seen as the exit of the child
  return child;
}

/** This process's end of fd 3 of WATCHED_SERVER. */
const lifeline = (child: ChildProcess) => child.stdio[3] as Socket;

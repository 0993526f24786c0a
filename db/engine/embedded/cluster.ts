import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerUser } from './binaries.ts';

export interface Cluster {
  /** The directory with all files of the embedded Postgres. */
  home: string;
  /** The data directory of Postgres, in `home`. */
  data: string;
  /** The directory of the server's socket: `data`, unless its path is too long for a socket. */
  socket: string;
  user: ServerUser;
  settings: Record<string, string>;
}

export const SOCKET_PORT = 5432; // not used for TCP; only a part of the socket's file name
const SOCKET_PATH_MAX_BYTES = 103; // sun_path without its NUL: 107 on Linux, 103 on macOS

/**
 * Describes the cluster of a data directory, which may not exist yet.
 * @throws Error when the cluster belongs to another user
 */
export function describeCluster(dataDir: string, settings: Record<string, string>): Cluster {
  try {
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
  } catch (error) {
    throw new Error(`DATA_DIR cannot be used: ${(error as Error).message}.`);
  }
  const home = realpathSync(join(dataDir, 'postgres'));
  const data = join(home, 'data');
  const user = serverUser(data);
  const socketLength = Buffer.byteLength(`${data}/.s.PGSQL.${SOCKET_PORT}`);
  const socket = socketLength > SOCKET_PATH_MAX_BYTES ? shortSocketDirectory(data, user) : data;
  return { home, data, socket, user, settings };
}

function serverUser(data: string): ServerUser {
  const own = process.getuid?.();
  const owner = existsSync(data) ? statSync(data) : undefined;
  if (own !== 0) {
    if (!owner || owner.uid === own) return {};
    throw new Error(
      `${data} belongs to the user with id ${owner.uid}: run as that user, or set another DATA_DIR.`,
    );
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = readFileSync('/etc/passwd', 'utf8');
  const account =
    /^postgres:[^:]*:(\d+):(\d+)/m.exec(accounts) ?? /^nobody:[^:]*:(\d+):(\d+)/m.exec(accounts);
  if (!account) throw new Error('Postgres refuses to run as root, and there is no user postgres or nobody.');
  if (owner) execFileSync('chown', ['-R', `${account[1]}:${account[2]}`, data]); // a copy that root restored
  return { uid: Number(account[1]), gid: Number(account[2]) };
}

/**
 * In /tmp and not os.tmpdir(), so that the name does not depend on the environment of the process. Postgres touches its
 * socket every hour, so programs that clean /tmp do not delete it.
 */
function shortSocketDirectory(data: string, user: ServerUser): string {
  const directory = `/tmp/centavo-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined && lstatSync(directory).uid === 0) chownSync(directory, user.uid, user.gid!);
  const { uid, mode } = lstatSync(directory);
  if (uid === (user.uid ?? process.getuid?.()) && (mode & 0o077) === 0) return directory;
  throw new Error(
    `${directory} should be private to Postgres and is not: remove it, or set a shorter DATA_DIR.`,
  );
}

/** A part of the server's command line, which distinguishes the server from another process that reuses its pid. */
export function clusterName({ data }: Cluster): string {
  return `centavo-${statSync(data).ino}`;
}

/**
 * The spawn options of every Postgres program. They pass on nothing of the caller's environment (PGDATA, PGPORT, LANG
 * …).
 */
export function processOptions({ user }: Cluster, cwd: string) {
  return { ...user, cwd, env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
}

/**
 * The argument of -D for a process whose working directory is the cluster. For root the path may contain a directory
 * that the server's user cannot enter (/root); the kernel's link to the working directory does not.
 */
export function dataArgument({ user }: Cluster, path: string): string {
  return user.uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : path;
}

/**
 * Runs initdb in a temporary directory and renames the result, so that a cluster is always complete. Text sorts by code
 * point, with Unicode upper and lower case, which is the same on every machine.
 * @throws Error with the output of initdb
 */
export async function createCluster(cluster: Cluster, binaries: string): Promise<void> {
  const { home, data, user } = cluster;
  for (const name of readdirSync(home)) {
    if (name.startsWith('new-')) rmSync(join(home, name), { recursive: true }); // from an initdb that did not finish
  }
  const fresh = mkdtempSync(join(home, 'new-'));
  if (user.uid !== undefined) chownSync(fresh, user.uid, user.gid!);
  const access = ['--username=postgres', '--auth-local=trust', '--auth-host=reject'];
  const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = [
    '-D',
    dataArgument(cluster, fresh),
    ...access,
    ...text,
    '--data-checksums',
    '--no-instructions',
  ];
  try {
    await promisify(execFile)(join(binaries, 'native/bin/initdb'), args, processOptions(cluster, fresh));
    renameSync(fresh, data);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`The Postgres cluster could not be created in ${data}: ${stderr || message}`);
  }
}

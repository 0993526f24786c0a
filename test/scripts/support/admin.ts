import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { killWithParent } from '../../support/processes/kill-with-parent.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Most of a start is the loading of modules. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node');

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the project to its end, with this environment and only PATH and HOME of the caller's. */
export async function runProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = ROOT,
): Promise<Finished> {
  const { PATH = '', HOME = '' } = process.env;
  // In its own process group, because a shell or make starts programs that would outlive it.
  const child = killWithParent(
    spawn(command, args, {
      cwd,
      env: { PATH, HOME, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
    { group: true },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}

/** The admin command on one database, with its own secrets. */
export interface Admin {
  readonly pepper: string;
  readonly env: Readonly<Record<string, string>>;
  /** Fails unless the command succeeds in silence. */
  run(...args: string[]): Promise<Finished>;
  /** The one document of `--json`. */
  json<Document>(...args: string[]): Promise<Document>;
  /** Fails unless the command prints nothing but one matching sentence, on stderr, and exits with 1. */
  refused(args: readonly string[], sentence: RegExp): Promise<void>;
  remove(): Promise<void>;
}

export async function startAdmin(databaseUrl: string): Promise<Admin> {
  const dataDir = await mkdtemp(join(tmpdir(), 'centavo-admin-'));
  const pepper = 'a pepper of the tests, long enough to pass';
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, KEY_PEPPER: pepper };
  return { ...adminWith(env), pepper, env, remove: () => rm(dataDir, { recursive: true }) };
}

/** Runs the admin command to its end, however it ends. */
export function runAdmin(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Finished> {
  return runProgram(process.execPath, [join(ROOT, 'scripts/admin.ts'), ...args], env);
}

/** The admin command in an environment: `DATABASE_URL` and `DATA_DIR` of a service that runs. */
export function adminWith(env: Readonly<Record<string, string>>): Pick<Admin, 'run' | 'json' | 'refused'> {
  const command = (args: readonly string[]) => runAdmin(env, args);
  const run = async (...args: string[]) => {
    const finished = await command(args);
    assert.equal(finished.stderr, '');
    assert.equal(finished.status, 0);
    return finished;
  };
  return {
    run,
    json: async (...args) => JSON.parse((await run(...args, '--json')).stdout),
    async refused(args, sentence) {
      const { status, stdout, stderr } = await command([...args, '--json']);
      assert.equal(stdout, '');
      assert.match(stderr, /^[^\n]+\n$/);
      assert.match(stderr.trim(), sentence);
      assert.equal(status, 1);
    },
  };
}

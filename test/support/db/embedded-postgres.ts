import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from 'pg';

/** The rows of one statement on a new connection. */
export async function sql(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Whether a connection to `url` works. */
export const answers = (url: string) =>
  sql(url, 'select 1').then(
    () => true,
    () => false,
  );

/** Starts the Postgres of `directory` in another process, which runs until its stdin ends. */
export async function startPostgresProcess(
  directory: string,
): Promise<{ child: ChildProcess; url: string; owned: boolean }> {
  const launcher = new URL('../../../db/engine/embedded-postgres.ts', import.meta.url);
  const program = `
    import { startEmbeddedPostgres } from '${launcher}';
    const postgres = await startEmbeddedPostgres({ dataDir: process.argv[1] });
    console.log(JSON.stringify({ url: postgres.url, owned: postgres.owned }));
    process.stdin.on('end', () => postgres.stop()).resume();`;
  const args = ['--input-type=module', '-e', program, directory];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout)
      .once('line', resolve)
      .once('close', () => reject(new Error('no line')));
  });
  return { child, ...JSON.parse(line) };
}

/** Makes such a process stop its Postgres and end. */
export async function finish({ child }: { child: ChildProcess }): Promise<void> {
  const ended = once(child, 'exit');
  child.stdin!.end();
  assert.deepEqual(await ended, [0, null]);
}

/** Whether a process runs. A zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !execFileSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).startsWith('Z');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

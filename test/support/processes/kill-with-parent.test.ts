import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { isRunning } from '../db/embedded-postgres.ts';
import { until } from '../until.ts';

const started: number[] = [];
after(() => {
  for (const pid of started) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
});

/** A process that starts others by `spawning`, prints their ids, and ends without stopping them. */
async function startCareless(spawning: string): Promise<{ parent: ChildProcess; children: number[] }> {
  const program = `
    import { spawn } from 'node:child_process';
    import { killWithParent } from '${new URL('./kill-with-parent.ts', import.meta.url)}';
    process.stdin.on('end', () => process.exit()).resume();
    ${spawning}`;
  const args = ['--input-type=module', '-e', program];
  const parent = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(parent.stdout), 'line');
  const children = String(line).split(' ').map(Number);
  started.push(parent.pid!, ...children);
  for (const pid of children) assert.ok(isRunning(pid));
  return { parent, children };
}

const ONE_CHILD = `
  const child = killWithParent(spawn('tail', ['-f', '/dev/null'], { stdio: 'ignore' }));
  child.once('spawn', () => console.log(child.pid));`;

const A_GROUP = `
  const script = 'tail -f /dev/null & a=$!; tail -f /dev/null & echo $$ $a $!; wait';
  killWithParent(spawn('sh', ['-c', script], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }), { group: true });`;

/** A group whose shell ends at once. */
const A_GROUP_WITHOUT_ITS_SHELL = `
  const script = 'tail -f /dev/null & echo $!';
  const shell = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  killWithParent(shell, { group: true });
  shell.stdout.once('data', (id) => shell.once('exit', () => console.log(String(id).trim())));`;

const SPAWNINGS = {
  'a child': ONE_CHILD,
  'a group of processes': A_GROUP,
  'a group whose shell has ended': A_GROUP_WITHOUT_ITS_SHELL,
};

for (const [what, spawning] of Object.entries(SPAWNINGS)) {
  test(`${what} ends after its parent process has ended, was terminated, or was killed`, async () => {
    const ends: ((parent: ChildProcess) => void)[] = [
      (parent) => parent.stdin!.end(),
      (parent) => parent.kill('SIGTERM'),
      (parent) => parent.kill('SIGKILL'),
    ];
    for (const end of ends) {
      const { parent, children } = await startCareless(spawning);
      end(parent);
      await until(`${what} is gone`, () => !children.some(isRunning));
    }
  });
}

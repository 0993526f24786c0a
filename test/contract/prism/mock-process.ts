import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { killWithParent } from '../../support/processes/kill-with-parent.ts';

const SCRIPT = join(import.meta.dirname, '../../../scripts/mock.ts');

export interface MockProcess {
  readonly url: string;
  /** Ctrl-C; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** `make mock` on a free port. */
export async function startMock(...args: string[]): Promise<MockProcess> {
  // With the Prism that it starts.
  const child = killWithParent(
    spawn(process.execPath, [SCRIPT, '--port', '0', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    }),
    { group: true },
  );
  const gone = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, 'line'), gone]);
  const url = /(http:\/\/[^/\s]+)\/api\/v1/.exec(String(first[0]))?.[1];
  assert.ok(url, `the mock said ${first[0]}`);
  return {
    url,
    stop: async () => {
      child.kill('SIGINT');
      return (await gone)[0];
    },
  };
}

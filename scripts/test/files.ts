import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import type { Counts } from './counts.ts';

/** Most files wait for Postgres most of the time, and each of them opens up to some twenty connections. */
const MIN_CONCURRENCY = 2;
const MAX_CONCURRENCY = 8;
/** Of one test. The slowest kill processes and wait for a recovery. */
const TEST_TIMEOUT_MS = 120_000;
/** Of all files; a test that never gives the event loop back is ended by this alone. */
const RUN_TIMEOUT_MS = 15 * 60_000;

/** What a reader of the output wants to know: what failed, and what was printed. */
const SHOWN_EVENTS: ReadonlySet<string> = new Set(['test:fail', 'test:stderr', 'test:stdout']);

/** The test files of folders, files and glob patterns, as seen from `root`; all of the project's when none is named. */
export function testFiles(root: string, filters: readonly string[]): string[] {
  const patterns = (filters.length === 0 ? ['test'] : filters).map((filter) => {
    const isFolder = statSync(resolve(root, filter), { throwIfNoEntry: false })?.isDirectory();
    return isFolder ? join(filter, '**/*.test.ts') : filter;
  });
  return globSync(patterns, { cwd: root }).sort();
}

/** Runs each file in a process of its own; prints a line per file and, at the end, every failure in full. */
export async function runTestFiles(
  root: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<Counts> {
  const events = run({
    files: files.map((file) => resolve(root, file)),
    concurrency: Math.min(Math.max(availableParallelism(), MIN_CONCURRENCY), MAX_CONCURRENCY),
    signal: AbortSignal.any([signal, AbortSignal.timeout(RUN_TIMEOUT_MS)]),
    // A file ends when its tests have, whatever handle one of them has left open.
    execArgv: [`--test-timeout=${TEST_TIMEOUT_MS}`, '--test-force-exit'],
  });
  let total: Counts = { passed: 0, failed: 1, skipped: 0 };
  events.on('test:summary', ({ file, counts, success, duration_ms }) => {
    if (file === undefined) total = countsOf(counts);
    else {
      const mark = success ? '✔' : '✖';
      const seconds = (duration_ms / 1_000).toFixed(1);
      process.stdout.write(`${mark} ${relative(root, file)}  ${counts.tests} tests, ${seconds} s\n`);
    }
  });
  await pipeline(events, onlyShown, new spec(), process.stdout, { end: false });
  return total;
}

async function* onlyShown(events: AsyncIterable<{ type: string }>) {
  for await (const event of events) if (SHOWN_EVENTS.has(event.type)) yield event;
}

interface NodeCounts {
  tests: number;
  passed: number;
  skipped: number;
  todo: number;
}

/** What neither passed nor was skipped has failed: by an assertion, a time-out, or because its file could not go on. */
function countsOf({ tests, passed, skipped, todo }: NodeCounts): Counts {
  return { passed, failed: tests - passed - skipped - todo, skipped: skipped + todo };
}

import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import type { Counts } from './counts.ts';
import { watchFiles } from './ended-files.ts';
import { type EndedFile, folderTimes } from './folders.ts';
import { ALONE, processesOf } from './groups.ts';
import { LONG_FILES, longestFirst } from './order.ts';

/** Files beyond the number of processors. Most files wait for Postgres or a process for a third of their time. */
const EXTRA_FILES = 1;
/** Each file opens up to some twenty connections. */
const MAX_CONCURRENCY = 8;
/** The limit of one test. The slowest take two minutes, and several times as long on a machine with other load. */
const TEST_TIMEOUT_MS = 30 * 60_000;
/** The limit of all files, about five times what they take. Only this ends a test that blocks the event loop. */
const RUN_TIMEOUT_MS = 90 * 60_000;
/**
 * V8 starts with 1 MiB for new objects. Loading the service then takes a tenth longer, because they are copied more
 * often.
 */
const YOUNG_SPACE = '--min-semi-space-size=16';
/** Ends a file that leaves something open, and marks it as failed. */
const END_OF_FILE = join(import.meta.dirname, 'end-of-file.ts');

/** Shown to the reader: failures, and what the tests print. */
const SHOWN_EVENTS: ReadonlySet<string> = new Set(['test:fail', 'test:stderr', 'test:stdout']);

/** The test files of folders, files and glob patterns, as seen from `root`; all of the project's when none is named. */
export function testFiles(root: string, filters: readonly string[]): string[] {
  const patterns = (filters.length === 0 ? ['test'] : filters).map((filter) => {
    const isFolder = statSync(resolve(root, filter), { throwIfNoEntry: false })?.isDirectory();
    return isFolder ? join(filter, '**/*.test.ts') : filter;
  });
  return globSync(patterns, { cwd: root }).sort();
}

/**
 * Runs the files, small ones of a folder in one process (groups.ts). Prints a line per file, at the end every failure
 * in full, and a table of folders.
 */
export async function runTestFiles(
  root: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<Counts> {
  using processes = processesOf(root, longestFirst(files), [...LONG_FILES, ...ALONE]);
  const events = run({
    files: processes.all.map(({ path }) => path),
    concurrency: Math.min(availableParallelism() + EXTRA_FILES, MAX_CONCURRENCY),
    signal: AbortSignal.any([signal, AbortSignal.timeout(RUN_TIMEOUT_MS)]),
    execArgv: [YOUNG_SPACE, `--test-timeout=${TEST_TIMEOUT_MS}`, '--import', END_OF_FILE],
  });
  let total: Counts = { passed: 0, failed: 1, skipped: 0 };
  events.on('test:summary', ({ file, counts }) => {
    if (file === undefined) total = countsOf(counts);
  });
  const ended: EndedFile[] = [];
  const { withoutFiles } = watchFiles(events, processes.all, (file) => {
    ended.push(file);
    const seconds = (file.duration_ms / 1_000).toFixed(1);
    process.stdout.write(`${file.isGood ? '✔' : '✖'} ${file.path}  ${file.tests} tests, ${seconds} s\n`);
  });
  await pipeline(events, onlyShown, new spec(), process.stdout, { end: false });
  process.stdout.write(`${folderTimes(ended)}\n`);
  return withoutFiles(total);
}

async function* onlyShown(events: AsyncIterable<{ type: string; data: { message?: string } }>) {
  for await (const event of events) if (SHOWN_EVENTS.has(event.type) || isLateError(event)) yield event;
}

/** Whether a test caused an error after its end: the process fails, and the message is the only explanation. */
function isLateError({ type, data }: { type: string; data: { message?: string } }): boolean {
  return type === 'test:diagnostic' && data.message?.startsWith('Error: ') === true;
}

interface NodeCounts {
  tests: number;
  passed: number;
  skipped: number;
  todo: number;
}

/** A test that neither passed nor was skipped has failed: by an assertion, a time-out, or the end of its file. */
function countsOf({ tests, passed, skipped, todo }: NodeCounts): Counts {
  return { passed, failed: tests - passed - skipped - todo, skipped: skipped + todo };
}

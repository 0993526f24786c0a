import { globSync, realpathSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type EventData, run, type TestsStream } from 'node:test';
import { spec } from 'node:test/reporters';
import type { Counts } from './counts.ts';
import { type EndedFile, folderTimes } from './folders.ts';
import { longestFirst } from './order.ts';

/** Files beyond the number of processors. Most files wait for Postgres or a process for a third of their time. */
const EXTRA_FILES = 1;
/** Each file opens up to some twenty connections. */
const MAX_CONCURRENCY = 8;
/** Of one test. The slowest kill processes and wait for a recovery. */
const TEST_TIMEOUT_MS = 240_000;
/** Of all files. Only this ends a test that blocks the event loop. */
const RUN_TIMEOUT_MS = 30 * 60_000;
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

/** Runs each file in its own process. Prints a line per file, at the end every failure in full, and a table of folders. */
export async function runTestFiles(
  root: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<Counts> {
  const events = run({
    files: longestFirst(files).map((file) => realpathSync(resolve(root, file))),
    concurrency: Math.min(availableParallelism() + EXTRA_FILES, MAX_CONCURRENCY),
    signal: AbortSignal.any([signal, AbortSignal.timeout(RUN_TIMEOUT_MS)]),
    execArgv: [`--test-timeout=${TEST_TIMEOUT_MS}`, '--import', END_OF_FILE],
  });
  let total: Counts = { passed: 0, failed: 1, skipped: 0 };
  events.on('test:summary', ({ file, counts }) => {
    if (file === undefined) total = countsOf(counts);
  });
  const ended: EndedFile[] = [];
  onEndOfFiles(events, (file) => {
    const path = relative(root, file.path);
    ended.push({ ...file, path });
    const seconds = (file.duration_ms / 1_000).toFixed(1);
    process.stdout.write(`${file.isGood ? '✔' : '✖'} ${path}  ${file.tests} tests, ${seconds} s\n`);
  });
  await pipeline(events, onlyShown, new spec(), process.stdout, { end: false });
  process.stdout.write(`${folderTimes(ended)}\n`);
  return total;
}

/** Reports each file when its process has ended. A file whose tests passed is not good when its process failed. */
function onEndOfFiles(events: TestsStream, report: (file: EndedFile) => void): void {
  const files = new Map<string, EndOfFile>();
  const endOf = (name: string) => {
    const end = files.get(name) ?? { tests: 0, failed: false, reported: false };
    files.set(name, end);
    return end;
  };
  const print = (path: string, { ended, tests, failed }: EndOfFile) => {
    const { passed, duration_ms } = ended!;
    report({ path, tests, duration_ms, isGood: passed && !failed });
  };
  events.on('test:complete', ({ name, entryFile, details }: OfEntryFile<EventData.TestComplete>) => {
    if (entryFile !== undefined) {
      if (details.type === 'test') endOf(entryFile).tests += 1;
      return;
    }
    const end = endOf(name);
    end.ended = details;
    // The process of a file that crashed may report nothing else.
    if (end.reported || !details.passed) print(name, end);
  });
  events.on('test:fail', ({ entryFile }: OfEntryFile<EventData.TestFail>) => {
    if (entryFile !== undefined) endOf(entryFile).failed = true;
  });
  // The last event of a file. It may come before its process has ended, or long after.
  events.on('test:summary', ({ file }) => {
    if (file === undefined) return;
    const end = endOf(file);
    end.reported = true;
    if (end.ended?.passed) print(file, end);
  });
}

interface EndOfFile {
  tests: number;
  failed: boolean;
  reported: boolean;
  ended?: { readonly passed: boolean; readonly duration_ms: number };
}

/** `entryFile` is the file whose process sent the event. The event of a whole file has none. */
type OfEntryFile<Event> = Event & { readonly entryFile?: string };

async function* onlyShown(events: AsyncIterable<{ type: string }>) {
  for await (const event of events) if (SHOWN_EVENTS.has(event.type)) yield event;
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

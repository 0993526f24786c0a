/**
 * Runs the linters, all tests against one shared Postgres, the contract, and with CI=true the partners' clients. Prints
 * the time of each part and folder.
 *
 * Usage: npm test [-- <folder, file or pattern> …]     with names: those tests alone, without linters and contract
 *
 * A file also fails when it leaves something open after its tests. It is ended 30 s later, or after TEST_GRACE_MS.
 *
 * The server is TEST_DATABASE_URL, else DATABASE_URL, else an embedded cluster in memory or .data/test. The last line
 * is `N passed, N failed`: tests, the answers of the contract, the chapters of the clients, and each linter that fails.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabase } from '../test/support/database.ts';
import { memoryFolder } from '../test/support/db/memory-folder.ts';
import {
  add,
  type Counts,
  isGood,
  NOTHING_RAN,
  plainLine,
  readPlainLine,
  withoutSkips,
} from './test/counts.ts';
import { runTestFiles, testFiles } from './test/files.ts';
import { runProgram } from './test/program.ts';

const ROOT = join(import.meta.dirname, '..');
const CHECKS = [
  ['biome', 'check'],
  ['tsc', '--noEmit'],
  ['node', 'scripts/lint-spec.ts'],
] as const;
const ONE_FAILED: Counts = { passed: 0, failed: 1, skipped: 0 };

/** The start of a process is mostly the loading of modules. */
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/node');

const filters = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.stdout.write(`\n${signal}: stopping.\n`);
    stop.abort();
  });
}

process.chdir(ROOT);
await buildSite();
const files = testFiles(ROOT, filters);
const unmatched = filters.filter((filter) => testFiles(ROOT, [filter]).length === 0);
if (unmatched.length > 0 || files.length === 0) {
  process.stderr.write(`No test file matches ${unmatched.join(' ')}.\n`);
  process.exit(1);
}
let counts = NOTHING_RAN;
if (filters.length === 0) counts = add(counts, await runChecks());
counts = add(counts, await withTemporaryFiles(() => withDatabase(() => runTests())));
if (stop.signal.aborted) process.exit(130);
if (process.env.CI === 'true' && counts.skipped > 0) {
  process.stdout.write(`CI=true: ${counts.skipped} skipped, which counts as failed.\n`);
  counts = withoutSkips(counts);
}
process.stdout.write(`${plainLine(counts)}\n`);
process.exit(isGood(counts) ? 0 : 1);

/** Builds the files that the service under test serves, so that they fit the sources. */
async function buildSite(): Promise<void> {
  const { isGood } = await runProgram('node', ['scripts/build.ts'], stop.signal);
  if (!isGood) process.exit(1);
}

/** Runs the linters side by side, as most of them use one processor. */
async function runChecks(): Promise<Counts> {
  const all = CHECKS.map(async ([command, ...args]) => {
    const { isGood, took } = await runProgram(command, args, stop.signal);
    process.stdout.write(`${isGood ? '✔' : '✖'} ${[command, ...args].join(' ')}  ${took}\n`);
    return isGood ? NOTHING_RAN : ONE_FAILED;
  });
  return (await Promise.all(all)).reduce(add);
}

async function runTests(): Promise<Counts> {
  if (filters.length > 0) return runTestFiles(ROOT, files, stop.signal);
  // Side by side, because both leave a processor idle a part of the time.
  const both = await Promise.all([runContractAndClients(), runTestFiles(ROOT, files, stop.signal)]);
  return both.reduce(add);
}

async function runContractAndClients(): Promise<Counts> {
  const counts = await runCounting('scripts/contract.ts');
  // The clients take minutes and the tools of five languages.
  if (process.env.CI !== 'true' || stop.signal.aborted) return counts;
  return add(counts, await runCounting('scripts/test-clients.ts'));
}

/** Runs a program that counts its own tests. */
async function runCounting(program: string): Promise<Counts> {
  const { isGood, output, took } = await runProgram('node', [program], stop.signal);
  process.stdout.write(`${isGood ? '✔' : '✖'} node ${program}  ${took}\n`);
  const counts = readPlainLine(output);
  // A run that fails without a count of failures counts as one failure, so that the sum cannot look good.
  const isExplained = counts !== null && isGood === (counts.failed === 0 && counts.passed > 0);
  return add(counts ?? NOTHING_RAN, isExplained ? NOTHING_RAN : ONE_FAILED);
}

/**
 * Keeps temporary files in memory if there is enough. Tests that start a service without a database create a cluster
 * there, and each browser has its profile there.
 */
async function withTemporaryFiles<Result>(work: () => Promise<Result>): Promise<Result> {
  const memory = memoryFolder();
  if (memory === null) return work();
  const folder = mkdtempSync(join(memory, 'tmp-'));
  // Servers that tests start as another user find their folders in it, as in /tmp.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Keeps a database on the shared server during the work, so that the server starts once and its template is made once.
 * A server that several runs use is stopped by the last of them.
 */
async function withDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const held = await testDatabase();
  if (!process.env.TEST_DATABASE_URL && !process.env.DATABASE_URL) {
    const server = new URL(held.url);
    server.pathname = '/postgres';
    process.env.TEST_DATABASE_URL = server.href;
  }
  try {
    return await work();
  } finally {
    await held.drop();
  }
}

/**
 * Runs what proves the project: the linters, all tests against one shared Postgres, the contract, and with CI=true the
 * partners' clients.
 *
 * Usage: npm test [-- <folder, file or pattern> …]     with names: those tests alone, without linters and contract
 *
 * A file fails, too, that leaves something open after its tests: it is ended 30 s later, or after TEST_GRACE_MS.
 *
 * The server is TEST_DATABASE_URL, else DATABASE_URL, else an embedded cluster in .data/test. Ends with the plain line
 * `N passed, N failed`, which counts tests, the contract's answers and the clients' chapters, and each linter that
 * fails.
 */
import { join } from 'node:path';
import { testDatabase } from '../test/support/database.ts';
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
/** Programs that count for themselves. The clients take minutes and five languages' tools: the proof of a clean checkout. */
const COUNTING_RUNS = [
  'scripts/contract.ts',
  ...(process.env.CI === 'true' ? ['scripts/test-clients.ts'] : []),
];
const CHECKS = [
  ['biome', 'check'],
  ['tsc', '--noEmit'],
  ['node', 'scripts/lint-spec.ts'],
] as const;
const ONE_FAILED: Counts = { passed: 0, failed: 1, skipped: 0 };

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
counts = add(counts, await withDatabase(() => runTests()));
if (stop.signal.aborted) process.exit(130);
if (process.env.CI === 'true' && counts.skipped > 0) {
  process.stdout.write(`CI=true: ${counts.skipped} skipped, which counts as failed.\n`);
  counts = withoutSkips(counts);
}
process.stdout.write(`${plainLine(counts)}\n`);
process.exit(isGood(counts) ? 0 : 1);

/** The service that the tests start serves these files; they are built anew, so that they fit the sources. */
async function buildSite(): Promise<void> {
  const { isGood } = await runProgram('node', ['scripts/build.ts'], stop.signal);
  if (!isGood) process.exit(1);
}

/** Every linter runs, whatever the others found. */
async function runChecks(): Promise<Counts> {
  let counts = NOTHING_RAN;
  for (const [command, ...args] of CHECKS) {
    if (stop.signal.aborted) break;
    const { isGood } = await runProgram(command, args, stop.signal);
    process.stdout.write(`${isGood ? '✔' : '✖'} ${[command, ...args].join(' ')}\n`);
    if (!isGood) counts = add(counts, ONE_FAILED);
  }
  return counts;
}

async function runTests(): Promise<Counts> {
  let counts = await runTestFiles(ROOT, files, stop.signal);
  if (filters.length > 0) return counts;
  for (const program of COUNTING_RUNS) {
    if (stop.signal.aborted) break;
    counts = add(counts, await runCounting(program));
  }
  return counts;
}

async function runCounting(program: string): Promise<Counts> {
  const { isGood, output } = await runProgram('node', [program], stop.signal);
  const counts = readPlainLine(output);
  // A run that fails without saying what failed counts as one failure, so that the sum cannot look good.
  const isExplained = counts !== null && isGood === (counts.failed === 0 && counts.passed > 0);
  return add(counts ?? NOTHING_RAN, isExplained ? NOTHING_RAN : ONE_FAILED);
}

/**
 * Holds a database on the shared server, so that the server starts once, its template is made once, and it outlives
 * every test file; a server that other runs use too is stopped by the last of them.
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

/**
 * Tests the contract: Dredd requests every answer that generated/openapi.json documents from the service. Prints the
 * failures with request and answer, then the answers that were not reached because of them, and last
 * `N passed, N failed`. Exits 1 if anything failed, if the README states another number, or if a step takes too long.
 * It starts a database, the service and the simulated acquirer, and removes them afterwards.
 *
 * With --upstream it uses a running sandbox instead, as the merchant of API_KEY (else the demo merchant of DATA_DIR),
 * and requests the answers that a merchant can cause. Its records stay there. RESET=yes adds operations that move the
 * merchant's clock and delete all of its data.
 *
 * With --quick it requests every success, and each refusal that operations share only once.
 *
 * Usage: npm run contract [-- [--quick] [--upstream <url>]]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { documentedAnswers } from '../test/contract/dredd/documented-answers.ts';
import { eachResponseOnce } from '../test/contract/dredd/each-response-once.ts';
import { printProof } from '../test/contract/dredd/print-proof.ts';
import { type Failure, type Proof, proveContract } from '../test/contract/dredd/prove-contract.ts';
import { testDatabase } from '../test/support/database.ts';
import { remoteTarget } from './contract/remote-target.ts';
import { openUpstream } from './contract/upstream.ts';
import { plainLine } from './test/counts.ts';
import { type Progress, watchProgress } from './test/progress.ts';

const root = join(import.meta.dirname, '..');
const README = join(root, 'README.md');
const document = readFileSync(join(root, 'generated/openapi.json'), 'utf8');

/** A step that takes longer hangs, even on a busy machine. */
const STEP_TIMEOUT_MS = 120_000;

const { values } = parseArgs({ options: { upstream: { type: 'string' }, quick: { type: 'boolean' } } });
const asked = values.quick ? eachResponseOnce(document) : document;
const progress = watchProgress(STEP_TIMEOUT_MS, endAsHung);
const { upstream } = values;
const isGood = await (upstream === undefined ? proveHere(progress) : proveThere(upstream, progress));
process.exitCode = isGood ? 0 : 1;

async function proveHere(progress: Progress): Promise<boolean> {
  progress.at('the start of the database');
  // Stays open until the end: stopping the server may wait for others that use it, and must not count as a step.
  const database = await testDatabase();
  const { failures, ...rest } = await proveContract(asked, progress);
  progress[Symbol.dispose]();
  const isGood = print({ ...rest, failures: [...failures, ...readmeFailures()] });
  await database.drop();
  return isGood;
}

async function proveThere(address: string, progress: Progress): Promise<boolean> {
  try {
    progress.at('the first request');
    const upstream = await openUpstream(address, process.env);
    console.log(
      `Testing ${upstream.url} as ${upstream.merchantName}. Customers, cards and orders stay there.\n`,
    );
    const target = async () => remoteTarget(upstream);
    return print(await proveContract(asked, { target, at: progress.at }));
  } catch (error) {
    console.error((error as Error).message);
    return false;
  } finally {
    progress[Symbol.dispose]();
  }
}

/** Whether nothing failed. */
function print(proof: Proof): boolean {
  console.log(printProof(proof));
  return proof.failures.length === 0 && proof.proven.length > 0;
}

/** Ends the process, and with it the database. */
function endAsHung(step: string): void {
  console.log(`FAILED No progress for ${STEP_TIMEOUT_MS / 1_000} s, at ${step}.\n`);
  console.log(plainLine({ passed: 0, failed: 1, skipped: 0 }));
  process.exit(1);
}

/** Fails unless the README states the right number of documented answers. */
function readmeFailures(): Failure[] {
  const documented = documentedAnswers(JSON.parse(document)).size;
  const stated = /\b(\d+) documented answers\b/.exec(readFileSync(README, 'utf8'))?.[1];
  if (stated === String(documented)) return [];
  return [{ name: 'README.md', reasons: [`It must say "${documented} documented answers", not ${stated}.`] }];
}

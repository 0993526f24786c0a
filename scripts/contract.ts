/**
 * Proves the contract: Dredd asks the running service for every answer that generated/openapi.json documents. Prints
 * what failed, with request and answer, then what was not reached because of that, and ends with `N passed, N failed`;
 * exits 1 if anything failed, or if the README states another number, or if a step takes too long. It starts the
 * service, a database and the simulated acquirer by itself, and leaves nothing behind.
 *
 * With --upstream it asks a running sandbox instead, as the merchant of API_KEY (else the demo merchant of DATA_DIR),
 * for the answers that a merchant can bring about. Records stay there. RESET=yes adds what moves the merchant's clock
 * and deletes all of its data.
 *
 * Usage: npm run contract [-- --upstream <url>]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { documentedAnswers } from '../test/contract/dredd/documented-answers.ts';
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

/** More than any step takes that still goes on, on a machine that has much else to do. */
const LONGEST_STEP_MS = 120_000;

const { values } = parseArgs({ options: { upstream: { type: 'string' } } });
const progress = watchProgress(LONGEST_STEP_MS, standStill);
const { upstream } = values;
const isGood = await (upstream === undefined ? proveHere(progress) : proveThere(upstream, progress));
process.exitCode = isGood ? 0 : 1;

async function proveHere(progress: Progress): Promise<boolean> {
  progress.at('the start of the database');
  // Held beyond the proof: the server may have to wait for others who share it, and that is no part of the proof.
  const held = await testDatabase();
  const { failures, ...rest } = await proveContract(document, progress);
  progress[Symbol.dispose]();
  const isGood = print({ ...rest, failures: [...failures, ...readmeFailures()] });
  await held.drop();
  return isGood;
}

async function proveThere(address: string, progress: Progress): Promise<boolean> {
  try {
    progress.at('the first request');
    const upstream = await openUpstream(address, process.env);
    console.log(
      `Asking ${upstream.url} as ${upstream.merchantName}. Customers, cards and orders stay there.\n`,
    );
    const target = async () => remoteTarget(upstream);
    return print(await proveContract(document, { target, at: progress.at }));
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

/** Ends the run; the database ends with it. */
function standStill(step: string): void {
  console.log(`FAILED Nothing has gone on for ${LONGEST_STEP_MS / 1_000} s. It stands still at ${step}.\n`);
  console.log(plainLine({ passed: 0, failed: 1, skipped: 0 }));
  process.exit(1);
}

/** The README says "N documented answers". */
function readmeFailures(): Failure[] {
  const documented = documentedAnswers(JSON.parse(document)).size;
  const told = /\b(\d+) documented answers\b/.exec(readFileSync(README, 'utf8'))?.[1];
  if (told === String(documented)) return [];
  return [{ name: 'README.md', reasons: [`It must say "${documented} documented answers", not ${told}.`] }];
}

/**
 * Proves the contract: Dredd asks the running service for every answer that generated/openapi.json documents. Prints
 * what failed, with request and answer, and ends with `N passed, N failed`; exits 1 if anything failed, or if the
 * README tells another number, or if a step of it stands still. Needs no server: it starts the service, a database and
 * the simulated acquirer by itself, and leaves nothing behind.
 *
 * Usage: npm run contract
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentedAnswers } from '../test/contract/dredd/documented-answers.ts';
import { printProof } from '../test/contract/dredd/print-proof.ts';
import { type Failure, proveContract } from '../test/contract/dredd/prove-contract.ts';
import { testDatabase } from '../test/support/database.ts';
import { plainLine } from './test/counts.ts';
import { watchProgress } from './test/progress.ts';

const root = join(import.meta.dirname, '..');
const README = join(root, 'README.md');

/** More than any step takes that still goes on, on a machine that has much else to do. */
const LONGEST_STEP_MS = 120_000;

const progress = watchProgress(LONGEST_STEP_MS, standStill);
progress.at('the start of the database');
// Held beyond the proof: the server may have to wait for others who share it, and that is no part of the proof.
const held = await testDatabase();
const document = readFileSync(join(root, 'generated/openapi.json'), 'utf8');
const { failures, ...rest } = await proveContract(document, progress);
progress[Symbol.dispose]();
const documented = documentedAnswers(JSON.parse(document)).size;
const proof = { ...rest, failures: [...failures, ...readmeFailures(documented)] };
console.log(printProof(proof));
process.exitCode = proof.failures.length === 0 ? 0 : 1;
await held.drop();

/** Ends the run; the database ends with it. */
function standStill(step: string): void {
  console.log(`FAILED Nothing has gone on for ${LONGEST_STEP_MS / 1_000} s. It stands still at ${step}.\n`);
  console.log(plainLine({ passed: 0, failed: 1, skipped: 0 }));
  process.exit(1);
}

/** The README says "N documented answers". */
function readmeFailures(documented: number): Failure[] {
  const told = /\b(\d+) documented answers\b/.exec(readFileSync(README, 'utf8'))?.[1];
  if (told === String(documented)) return [];
  return [{ name: 'README.md', reasons: [`It must say "${documented} documented answers", not ${told}.`] }];
}

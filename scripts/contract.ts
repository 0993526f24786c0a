/**
 * Proves the contract: Dredd asks the running service for every answer that generated/openapi.json documents. Prints
 * what failed, with request and answer, and ends with `N passed, N failed`; exits 1 if anything failed, or if the
 * README tells another number. Needs no server: it starts the service, a database and the simulated acquirer by
 * itself, and leaves nothing behind.
 *
 * Usage: npm run contract
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printProof } from '../test/contract/dredd/print-proof.ts';
import { type Failure, proveContract } from '../test/contract/dredd/prove-contract.ts';

const root = join(import.meta.dirname, '..');
const README = join(root, 'README.md');

const { proven, failures } = await proveContract(readFileSync(join(root, 'generated/openapi.json'), 'utf8'));
const proof = { proven, failures: [...failures, ...readmeFailures(proven.length + failures.length)] };
console.log(printProof(proof));
process.exitCode = proof.failures.length === 0 ? 0 : 1;

/** The README says "N documented answers". */
function readmeFailures(documented: number): Failure[] {
  if (!existsSync(README)) return [];
  const told = /\b(\d+) documented answers\b/.exec(readFileSync(README, 'utf8'))?.[1];
  if (told === String(documented)) return [];
  return [{ name: 'README.md', reasons: [`It must say "${documented} documented answers", not ${told}.`] }];
}

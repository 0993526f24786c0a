/**
 * Kills the service, its worker, the acquirer, Postgres and single connections at random, while several clients and
 * their buyers pay, also at links, capture, cancel, refund and dispute. Then compares the acquirer's records, the
 * database, the ledger, receipts, webhooks, and the answers that the clients got. Exits with 1 if they differ.
 *
 * Usage: make chaos [KILLS=1000] [SEED=<number>]     a seed repeats the choices, but not their timing
 */
import { runChaos } from '../test/simulation/chaos/run-chaos.ts';

const PROGRESS_EVERY = 20;
const kills = Number(process.env.KILLS || 1_000);
const seed = Number(process.env.SEED || Math.floor(Math.random() * 2 ** 31));
if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(seed)) {
  console.error('KILLS and SEED must be whole numbers.');
  process.exit(1);
}

console.log(`SEED=${seed}`);
const began = performance.now();
const seconds = () => Math.round((performance.now() - began) / 1_000);
try {
  const report = await runChaos({
    kills,
    seed,
    onKill: (done) => {
      if (done % PROGRESS_EVERY === 0) console.log(`${done} of ${kills} kills, ${seconds()} s`);
    },
  });
  console.log(`Kills     ${textOf(report.kills)}`);
  console.log(`Requests  ${report.requests}`);
  console.log(`Answers   ${textOf(report.answers)}`);
  console.log(`Payments  ${textOf(report.payments)}`);
  for (const [error, count] of report.errors) console.log(`Logged    ${count} × ${error}`);
  console.log(`After ${kills} kills in ${seconds()} s, all records and answers agree.`);
} catch (error) {
  console.error(error);
  console.error(`After ${seconds()} s: they do not agree. SEED=${seed}`);
  process.exitCode = 1;
}

function textOf(counts: ReadonlyMap<string | number, number>): string {
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

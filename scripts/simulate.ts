/**
 * Runs random histories of subscriptions, and compares each with a model of the contract after every step. Prints the seed
 * of each history that differs, and exits with 1.
 *
 * Usage: make simulate [SEEDS=1000] [SEED=<number>]     SEEDS: how many; SEED: the first, or the one to repeat
 */
import { inspect } from 'node:util';
import { FailedHistory, Simulation } from '../test/simulation/subscriptions/run-history.ts';

const PROGRESS_EVERY = 100;
const isRepeated = Boolean(process.env.SEED) && !process.env.SEEDS;
const seeds = Number(process.env.SEEDS || (isRepeated ? 1 : 1_000));
const first = Number(process.env.SEED || Math.floor(Math.random() * 2 ** 31));
if (!Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(first)) {
  console.error('SEEDS and SEED must be whole numbers.');
  process.exit(1);
}

const began = performance.now();
const seconds = () => Math.round((performance.now() - began) / 1_000);
const failed: number[] = [];
await using simulation = await Simulation.start();
for (let i = 0; i < seeds; i++) {
  try {
    const log = await simulation.run(first + i);
    if (isRepeated) console.log(log.join('\n'));
  } catch (error) {
    if (!(error instanceof FailedHistory)) throw error;
    failed.push(error.seed);
    console.error(inspect(error, { depth: 10 }));
  }
  if ((i + 1) % PROGRESS_EVERY === 0) {
    console.log(`${i + 1} of ${seeds} histories, ${failed.length} failed, ${seconds()} s`);
  }
}
console.log(
  `${seeds} histories from SEED=${first} in ${seconds()} s: ${seeds - failed.length} agree with the model.`,
);
if (failed.length > 0) {
  console.error(`These do not: ${failed.map((seed) => `SEED=${seed}`).join(' ')}`);
  process.exitCode = 1;
}

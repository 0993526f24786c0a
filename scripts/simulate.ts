/**
 * Runs random histories of subscriptions by every method, and compares each with a model of the contract after every step.
 * Prints the seed of each history that differs, with the steps that are needed to see it, and exits with 1.
 *
 * Usage: make simulate [SEEDS=1000] [SEED=<number> [STEPS=<numbers>]]
 *        SEEDS: how many; SEED: the first, or the one to repeat; STEPS: only these of its steps, such as 0,3,7
 */
import { inspect } from 'node:util';
import { FailedHistory, Simulation } from '../test/simulation/subscriptions/run-history.ts';

const PROGRESS_EVERY = 100;
const isRepeated = Boolean(process.env.SEED) && !process.env.SEEDS;
const seeds = Number(process.env.SEEDS || (isRepeated ? 1 : 1_000));
const first = Number(process.env.SEED || Math.floor(Math.random() * 2 ** 31));
const steps = process.env.STEPS ? process.env.STEPS.split(',').map(Number) : undefined;
if (![seeds, first, ...(steps ?? [])].every(Number.isSafeInteger) || seeds < 1) {
  console.error('SEEDS, SEED and STEPS must be whole numbers.');
  process.exit(1);
}

const began = performance.now();
const seconds = () => Math.round((performance.now() - began) / 1_000);
const failed: FailedHistory[] = [];
const subscriptions: Record<string, number> = {};
await using simulation = await Simulation.start();
for (let i = 0; i < seeds; i++) {
  await runSeed(first + i);
  if ((i + 1) % PROGRESS_EVERY === 0) {
    console.log(`${i + 1} of ${seeds} histories, ${failed.length} failed, ${seconds()} s`);
  }
}
console.log(
  `${seeds} histories from SEED=${first} in ${seconds()} s: ${seeds - failed.length} agree with the model.`,
);
console.log(`Subscriptions by method: ${inspect(subscriptions)}`);
if (failed.length > 0) {
  const repeats = failed.map(({ seed, steps }) => `SEED=${seed} STEPS=${steps.join(',')}`);
  console.error(`These do not:\n${repeats.join('\n')}`);
  process.exitCode = 1;
}

async function runSeed(seed: number): Promise<void> {
  try {
    const { log, methods } = await simulation.run(seed, steps);
    for (const method of methods) subscriptions[method] = (subscriptions[method] ?? 0) + 1;
    if (isRepeated) console.log(log.join('\n'));
  } catch (error) {
    if (!(error instanceof FailedHistory)) throw error;
    const shortest = await simulation.shorten(error);
    failed.push(shortest);
    console.error(inspect(shortest, { depth: 10 }));
  }
}

/**
 * Runs random histories of subscriptions by every method, and compares each with a model of the contract after every
 * step: first 10,000 of the engine alone, then SEEDS of the whole service. Prints the seed of each history that
 * differs, for the first five of the service with the steps that are needed to see it, and exits with 1.
 *
 * Usage: make simulate [SEEDS=1000] [SEED=<number> [STEPS=<numbers>]]
 *        SEEDS: how many; SEED: the first, or the one to repeat; STEPS: only these of its steps, such as 0,3,7
 */
import { inspect } from 'node:util';
import { FailedPureHistory, runPureHistory } from '../test/simulation/subscriptions/pure/run-history.ts';
import { FailedHistory, Simulation } from '../test/simulation/subscriptions/run-history.ts';

const PURE_HISTORIES = 10_000;
const PROGRESS_EVERY = 100;
/** A database with many histories is slower. */
const RESTART_EVERY = 200;
/** To shorten a history takes as long as many others. */
const SHORTENED = 5;
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
if (!isRepeated) runPure();
const failed: FailedHistory[] = [];
const subscriptions: Record<string, number> = {};
const faults: Record<string, number> = {};
for (let i = 0; i < seeds; i += RESTART_EVERY) await runSome(i, Math.min(i + RESTART_EVERY, seeds));
console.log(
  `${seeds} histories from SEED=${first} in ${seconds()} s: ${seeds - failed.length} agree with the model.`,
);
console.log(`Subscriptions by method: ${inspect(subscriptions)}`);
console.log(`Process kills by command or moment, and overlaps of two workers: ${inspect(faults)}`);
if (failed.length > 0) {
  const repeats = failed.map(({ seed, steps }) => `SEED=${seed} STEPS=${steps.join(',')}`);
  console.error(`These do not:\n${repeats.join('\n')}`);
  process.exitCode = 1;
}

function runPure(): void {
  const failures: FailedPureHistory[] = [];
  for (let i = 0; i < PURE_HISTORIES; i++) {
    try {
      runPureHistory(first + i);
    } catch (error) {
      if (!(error instanceof FailedPureHistory)) throw error;
      if (failures.push(error) <= SHORTENED) console.error(inspect(error, { depth: 10 }));
    }
  }
  const agree = PURE_HISTORIES - failures.length;
  console.log(
    `${PURE_HISTORIES} histories of the engine from SEED=${first} in ${seconds()} s: ${agree} agree.`,
  );
  if (failures.length === 0) return;
  const file = 'test/simulation/subscription-engine.test.ts';
  console.error(`These do not: ${failures.map(({ seed }) => seed).join(', ')}`);
  console.error(`SEED=${failures[0]!.seed} make test FILES=${file} repeats the first.`);
  process.exitCode = 1;
}

/** Histories from one number to another on one service. */
async function runSome(from: number, to: number): Promise<void> {
  await using simulation = await Simulation.start();
  for (let i = from; i < to; i++) {
    await runSeed(simulation, first + i);
    if ((i + 1) % PROGRESS_EVERY === 0) {
      console.log(`${i + 1} of ${seeds} histories, ${failed.length} failed, ${seconds()} s`);
    }
  }
  for (const [what, count] of Object.entries(simulation.faults)) faults[what] = (faults[what] ?? 0) + count;
}

async function runSeed(simulation: Simulation, seed: number): Promise<void> {
  try {
    const { log, methods } = await simulation.run(seed, steps);
    for (const method of methods) subscriptions[method] = (subscriptions[method] ?? 0) + 1;
    if (isRepeated) console.log(log.join('\n'));
  } catch (error) {
    if (!(error instanceof FailedHistory)) throw error;
    const shortest = failed.length < SHORTENED ? await simulation.shorten(error) : error;
    failed.push(shortest);
    console.error(inspect(shortest, { depth: 10 }));
  }
}

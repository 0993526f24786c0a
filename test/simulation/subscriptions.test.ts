import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FailedHistory, Simulation } from './subscriptions/run-history.ts';

/** One of each theme. `make simulate` runs as many as one likes. */
const HISTORIES = 10;
/** The same histories each time, so that a change of the code is what a failure shows. `make simulate` draws others. */
const SEED = Number(process.env.SEED || 230);

let simulation: Simulation;
before(async () => {
  simulation = await Simulation.start();
});
after(() => simulation[Symbol.asyncDispose]());

test(`after each step of ${HISTORIES} random histories, subscriptions are as the model of the contract says (SEED=${SEED})`, async () => {
  let actions = 0;
  for (let i = 0; i < HISTORIES; i++) actions += (await runOrShorten(SEED + i)).log.length;
  assert.ok(actions > HISTORIES);
  const { overlaps = 0, ...deaths } = simulation.faults;
  assert.ok(overlaps > 0, 'two workers have run at the same time');
  assert.ok(Object.keys(deaths).length > 2, 'the process has died at several moments');
});

async function runOrShorten(seed: number) {
  try {
    return await simulation.run(seed);
  } catch (error) {
    throw error instanceof FailedHistory ? await simulation.shorten(error) : error;
  }
}

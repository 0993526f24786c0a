import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runChaos } from './chaos/run-chaos.ts';

/** `make chaos` runs a thousand. */
const KILLS = 60;
/** The same in each run, so that a change is judged by what it changed. SEED=… runs others. */
const SEED = Number(process.env.SEED ?? 20_261_129);

test(`after ${KILLS} kills of processes and connections, all records and answers agree (SEED=${SEED})`, async () => {
  const { kills, payments } = await runChaos({ kills: KILLS, seed: SEED });
  assert.equal(
    [...kills.values()].reduce((sum, count) => sum + count, 0),
    KILLS,
  );
  assert.equal(payments.get('processing'), undefined);
});

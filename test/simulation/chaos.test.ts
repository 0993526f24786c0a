import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runChaos } from './chaos/run-chaos.ts';

/** `make chaos` runs a thousand. */
const KILLS = 60;
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`after ${KILLS} kills of processes and connections, all records and answers agree (SEED=${SEED})`, async () => {
  const { kills, payments } = await runChaos({ kills: KILLS, seed: SEED });
  assert.equal(
    [...kills.values()].reduce((sum, count) => sum + count, 0),
    KILLS,
  );
  assert.equal(payments.get('processing'), undefined);
});

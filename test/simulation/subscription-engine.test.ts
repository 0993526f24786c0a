import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runPureHistory } from './subscriptions/pure/run-history.ts';

const HISTORIES = 10_000;
/** The same histories each time. `make simulate` draws others. */
const SEED = Number(process.env.SEED || 1);

test(`in ${HISTORIES} random histories, the engine of subscriptions does what the model says (SEED=${SEED})`, () => {
  let steps = 0;
  for (let i = 0; i < HISTORIES; i++) steps += runPureHistory(SEED + i).length;
  assert.ok(steps > HISTORIES);
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { startJob } from '../../jobs/loop.ts';

const INTERVAL_MS = 1_000;

/** Runs everything that is ready to run. No timer fires. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A job whose runs end as the test says, one after the other. */
function scripted() {
  const errors: object[] = [];
  const log = { info() {}, warn() {}, error: (fields: object) => errors.push(fields) };
  const runs: { end(done: number): void; fail(): void }[] = [];
  const job = {
    name: 'test',
    interval_ms: INTERVAL_MS,
    runOnce: () =>
      new Promise<number>((resolve, reject) => {
        runs.push({ end: resolve, fail: () => reject(new Error('down')) });
      }),
  };
  return { running: startJob(job, log), runs, errors };
}

/** Moves time. Returns how many runs have begun by then. */
async function after(runs: readonly unknown[], passed_ms: number): Promise<number> {
  mock.timers.tick(passed_ms);
  await settle();
  return runs.length;
}

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

describe('a job', () => {
  test('pauses after a run without work, and runs again at once after one with work', async () => {
    const { running, runs } = scripted();
    runs[0]!.end(0);
    await settle();
    assert.equal(await after(runs, INTERVAL_MS - 1), 1);
    assert.equal(await after(runs, 1), 2);
    runs[1]!.end(3);
    await settle();
    assert.equal(await after(runs, 1), 3);
    const stopped = running.stop();
    runs[2]!.end(0);
    await stopped;
  });

  test('is logged when it fails, and pauses longer each time, up to 10 s, until it succeeds', async () => {
    const { running, runs, errors } = scripted();
    for (const [index, pause_ms] of [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000].entries()) {
      runs[index]!.fail();
      await settle();
      assert.equal(errors.length, index + 1);
      assert.equal(await after(runs, pause_ms - 1), index + 1);
      assert.equal(await after(runs, 1), index + 2);
    }
    runs.at(-1)!.end(0);
    await settle();
    assert.equal(await after(runs, INTERVAL_MS), 9);
    runs.at(-1)!.fail();
    await settle();
    assert.equal(await after(runs, 500), 10);
    const stopped = running.stop();
    runs.at(-1)!.end(0);
    await stopped;
  });

  test('stops after its current run, or at once during a pause', async () => {
    const busy = scripted();
    let isStopped = false;
    const stopped = busy.running.stop().then(() => {
      isStopped = true;
    });
    await settle();
    assert.equal(isStopped, false);
    busy.runs[0]!.end(5);
    await stopped;
    assert.equal(busy.runs.length, 1);

    const idle = scripted();
    idle.runs[0]!.end(0);
    await settle();
    await idle.running.stop();
    assert.equal(idle.runs.length, 1);
  });
});

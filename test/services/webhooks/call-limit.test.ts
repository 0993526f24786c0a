/** How many calls of a queue are in flight. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CallLimit, type LimitedRun, runLimited } from '../../../services/webhooks/call-limit.ts';

function limitOf(max: number): CallLimit {
  const limit = new CallLimit();
  limit.open(max, 0);
  return limit;
}

/**
 * The limit after successes at a receiver that takes `answer_ms` for each call, and at most `perMs` calls in a
 * millisecond.
 */
function limitAt({ answer_ms, perMs, max = 64 }: { answer_ms: number; perMs: number; max?: number }): number {
  const limit = limitOf(max);
  let at_ms = 0;
  limit.begin(1_000, at_ms);
  for (let i = 0; i < 1_000; i += 1) {
    at_ms += Math.max(answer_ms / limit.now, 1 / perMs);
    limit.succeeded(at_ms);
  }
  return limit.now;
}

/** Sends a batch to a receiver that takes 100 ms for each call, in waves of as many as may be in flight. */
function sendInWaves(limit: CallLimit, from_ms: number, count: number): void {
  limit.begin(count, from_ms);
  let at_ms = from_ms;
  for (let sent = 0; sent < count; ) {
    const wave = Math.min(limit.now, count - sent);
    at_ms += 100;
    for (let i = 0; i < wave; i += 1) limit.succeeded(at_ms);
    sent += wave;
  }
  limit.pause(at_ms);
}

describe('the calls in flight', () => {
  it('are few at first', () => assert.equal(limitOf(64).now, 4));
  it('are as many as allowed, for a distant receiver', () =>
    assert.equal(limitAt({ answer_ms: 100, perMs: 10 }), 64));
  it('are never more than allowed', () => {
    assert.equal(limitOf(2).now, 2);
    assert.equal(limitAt({ answer_ms: 100, perMs: 10, max: 6 }), 6);
  });
  it('remain few where more are not faster', () => assert.equal(limitAt({ answer_ms: 0.1, perMs: 10 }), 8));
  it('grow until more are not faster', () => assert.equal(limitAt({ answer_ms: 1, perMs: 10 }), 16));

  it('are measured without the time between batches, over any number of them', () => {
    const limit = new CallLimit();
    limit.open(64, 0);
    const batch = (from_ms: number, until_ms: number, count: number) => {
      limit.begin(count, from_ms);
      for (let i = 0; i < count; i += 1) limit.succeeded(until_ms);
      limit.pause(until_ms);
    };
    batch(0, 10, 16);
    assert.equal(limit.now, 8);
    batch(1_000, 1_010, 32);
    assert.equal(limit.now, 16);
  });

  for (const count of [1, 4, 9, 15]) {
    it(`grow for a burst after fan-outs of ${count} deliveries`, () => {
      const limit = limitOf(64);
      for (let i = 0; i < 100; i += 1) sendInWaves(limit, i * 1_000, count);
      sendInWaves(limit, 200_000, 1_000);
      assert.equal(limit.now, 64);
    });
  }

  it('grow for a burst after smaller ones, of which the last wave is nearly empty', () => {
    const limit = limitOf(64);
    sendInWaves(limit, 0, 16);
    assert.equal(limit.now, 8);
    for (let i = 1; i < 100; i += 1) sendInWaves(limit, i * 1_000, 9);
    sendInWaves(limit, 200_000, 1_000);
    assert.equal(limit.now, 64);
  });

  it('are measured again in the next run, after one in which the receiver paused', () => {
    const limit = limitOf(64);
    sendInWaves(limit, 0, 16);
    limit.begin(32, 1_000);
    for (let i = 0; i < 16; i += 1) limit.succeeded(6_000);
    limit.pause(6_000);
    assert.equal(limit.now, 8);
    limit.open(64, 10_000);
    sendInWaves(limit, 10_000, 1_000);
    assert.equal(limit.now, 64);
  });

  it('remain few where more are not faster, in any number of runs, although some of them pause', () => {
    const limit = new CallLimit();
    for (let run = 0; run < 100; run += 1) {
      let at_ms = run * 10_000;
      limit.open(64, at_ms);
      limit.begin(1_000, at_ms);
      if (run % 3 === 1) at_ms += 5_000;
      for (let i = 0; i < 1_000; i += 1) {
        at_ms += 0.1;
        limit.succeeded(at_ms);
      }
      limit.pause(at_ms);
    }
    assert.equal(limit.now, 8);
  });

  it('grow in the third slow run in a row of a receiver that was fast', () => {
    const limit = limitOf(64);
    limit.begin(1_000, 0);
    for (let i = 1; i <= 1_000; i += 1) limit.succeeded(i * 0.1);
    limit.pause(100);
    assert.equal(limit.now, 8);
    const slowRun = (at_ms: number) => {
      limit.open(64, at_ms);
      sendInWaves(limit, at_ms, 1_000);
    };
    slowRun(10_000);
    slowRun(30_000);
    assert.equal(limit.now, 8, 'the receiver may have paused');
    slowRun(50_000);
    assert.equal(limit.now, 64);
  });

  it('remain in the next runs, within what those may have', () => {
    const limit = new CallLimit();
    limit.open(8, 0);
    limit.begin(1_000, 0);
    for (let i = 0; i < 1_000; i += 1) limit.succeeded(i * 10);
    limit.pause(10_000);
    assert.equal(limit.now, 8);
    limit.open(2, 20_000);
    assert.equal(limit.now, 2);
    limit.open(64, 30_000);
    assert.equal(limit.now, 8);
    limit.begin(32, 30_000);
    for (let i = 1; i <= 16; i += 1) limit.succeeded(30_000 + i * 5);
    assert.equal(limit.now, 16, 'it may grow again');
  });
});

it('what is sent in turn begins in order, within a limit that changes, and ends before the result', async () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const results: string[] = [];
  let limit = 2;
  let isDone = false;
  const run: LimitedRun<string> = {
    begin(place, ended) {
      begun.push(place);
      ends.push(() => ended(`result ${place}`));
    },
    end: (place, result) => (results[place] = result),
  };
  const all = runLimited(9, run, { limit: () => limit, isOver: () => begun.length === 6 });
  void all.then(() => {
    isDone = true;
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(begun, [0, 1]);
  limit = 4;
  ends[1]!();
  await turn();
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  ends[4]!();
  ends[3]!();
  await turn();
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5], 'none begins after the end');
  ends[0]!();
  ends[2]!();
  await turn();
  assert.equal(isDone, false);
  ends[5]!();
  await all;
  assert.deepEqual(
    results,
    [0, 1, 2, 3, 4, 5].map((place) => `result ${place}`),
  );
});

it('what ends at once is followed by the next, however many there are', async () => {
  const ended: number[] = [];
  const run: LimitedRun<null> = { begin: (_, end) => end(null), end: (place) => ended.push(place) };
  await runLimited(100_000, run, { limit: () => 2, isOver: () => false });
  assert.deepEqual([ended.length, ended.at(-1)], [100_000, 99_999]);
});

for (const part of ['begin', 'end'] as const) {
  it(`an error in \`${part}\` fails the result, and no more begin`, async () => {
    const begun: number[] = [];
    const fail = (where: string, place: number) => {
      if (where === part && place === 1) throw new Error('No.');
    };
    const run: LimitedRun<null> = {
      begin(place, ended) {
        begun.push(place);
        fail('begin', place);
        ended(null);
      },
      end: (place) => fail('end', place),
    };
    await assert.rejects(runLimited(3, run, { limit: () => 1, isOver: () => false }), /No\./);
    assert.deepEqual(begun, [0, 1]);
  });
}

/** How many calls of a queue are in flight. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CallLimit, inTurn, type Turns } from '../../../services/webhooks/call-limit.ts';

/**
 * The limit after successes at a receiver that takes `answer_ms` for each call, and at most `perMs` calls in a
 * millisecond.
 */
function limitAt({ answer_ms, perMs, max = 64 }: { answer_ms: number; perMs: number; max?: number }): number {
  const limit = new CallLimit(max);
  let at_ms = 0;
  limit.begin(at_ms);
  for (let i = 0; i < 1_000; i += 1) {
    at_ms += Math.max(answer_ms / limit.now, 1 / perMs);
    limit.succeeded(at_ms);
  }
  return limit.now;
}

describe('the calls in flight', () => {
  it('are few at first', () => assert.equal(new CallLimit(64).now, 4));
  it('are as many as allowed, for a distant receiver', () =>
    assert.equal(limitAt({ answer_ms: 100, perMs: 10 }), 64));
  it('are never more than allowed', () => {
    assert.equal(new CallLimit(2).now, 2);
    assert.equal(limitAt({ answer_ms: 100, perMs: 10, max: 6 }), 6);
  });
  it('remain few where more are not faster', () => assert.equal(limitAt({ answer_ms: 0.1, perMs: 10 }), 8));
  it('grow until more are not faster', () => assert.equal(limitAt({ answer_ms: 1, perMs: 10 }), 16));

  it('are measured without the time between batches', () => {
    const limit = new CallLimit(64);
    const batch = (from_ms: number, until_ms: number) => {
      limit.begin(from_ms);
      for (let i = 0; i < limit.now * 2; i += 1) limit.succeeded(until_ms);
    };
    batch(0, 10);
    assert.equal(limit.now, 8);
    batch(1_000, 1_010);
    assert.equal(limit.now, 16);
  });
});

it('what is sent in turn begins in order, within a limit that changes, and ends before the result', async () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const results: string[] = [];
  let limit = 2;
  let isDone = false;
  const turns: Turns<string> = {
    begin(place, ended) {
      begun.push(place);
      ends.push(() => ended(`result ${place}`));
    },
    end: (place, result) => (results[place] = result),
  };
  const all = inTurn(9, turns, { limit: () => limit, isOver: () => begun.length === 6 });
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
  const turns: Turns<null> = { begin: (_, end) => end(null), end: (place) => ended.push(place) };
  await inTurn(100_000, turns, { limit: () => 2, isOver: () => false });
  assert.deepEqual([ended.length, ended.at(-1)], [100_000, 99_999]);
});

for (const part of ['begin', 'end'] as const) {
  it(`an error in \`${part}\` fails the result, and no more begin`, async () => {
    const begun: number[] = [];
    const fail = (where: string, place: number) => {
      if (where === part && place === 1) throw new Error('No.');
    };
    const turns: Turns<null> = {
      begin(place, ended) {
        begun.push(place);
        fail('begin', place);
        ended(null);
      },
      end: (place) => fail('end', place),
    };
    await assert.rejects(inTurn(3, turns, { limit: () => 1, isOver: () => false }), /No\./);
    assert.deepEqual(begun, [0, 1]);
  });
}

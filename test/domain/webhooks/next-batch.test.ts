import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Faults, NO_FAULTS } from '../../../domain/webhooks/faults.ts';
import { nextBatch } from '../../../domain/webhooks/next-batch.ts';

/** How long a delivery waits for another one, as the contract says. */
const REORDER_WAIT_MS = 5_000;
const NOW_MS = Date.parse('2026-03-02T12:00:00Z');

/** Selects from deliveries that are due this long after now. Returns the same numbers, in the order of sending. */
function select(dueIn_ms: readonly number[], size: number, faults: Partial<Faults> = {}) {
  const pending = dueIn_ms.map((ms) => ({ nextAttemptAt: new Date(NOW_MS + ms), ms }));
  const wall = new Date(NOW_MS);
  const { due, nextDueAt } = nextBatch(pending, { size, wall, faults: { ...NO_FAULTS, ...faults } });
  return { due: due.map(({ ms }) => ms), next_ms: nextDueAt === null ? null : nextDueAt.getTime() - NOW_MS };
}

describe('without faults, a batch', () => {
  it('has what is due, in its order, up to its size', () => {
    assert.deepEqual(select([-30, -20, -10, 0, 10], 4), { due: [-30, -20, -10, 0], next_ms: 10 });
    assert.deepEqual(select([-30, -20, -10], 2), { due: [-30, -20], next_ms: -10 });
    assert.deepEqual(select([-10, 500], 4), { due: [-10], next_ms: 500 });
  });

  it('is empty if nothing is due', () => {
    assert.deepEqual(select([500], 4), { due: [], next_ms: 500 });
    assert.deepEqual(select([], 4), { due: [], next_ms: null });
  });
});

describe('with a delay, a batch', () => {
  it('has what has been due for as long', () => {
    const faults = { delay_s: 60 };
    assert.deepEqual(select([-60_000, -59_999], 4, faults), { due: [-60_000], next_ms: 1 });
    assert.deepEqual(select([0], 4, faults), { due: [], next_ms: 60_000 });
  });
});

describe('with reordering, a batch', () => {
  const faults = { reorder: true };

  it('is the first pair, the later delivery first', () => {
    assert.deepEqual(select([-30, -20, -10], 4, faults), { due: [-20, -30], next_ms: -10 });
    assert.deepEqual(select([-30, -20], 4, faults), { due: [-20, -30], next_ms: null });
  });

  it('is empty while one delivery waits for another, which can be due earlier than the end of the wait', () => {
    assert.deepEqual(select([0], 4, faults), { due: [], next_ms: REORDER_WAIT_MS });
    assert.deepEqual(select([0, 700], 4, faults), { due: [], next_ms: 700 });
    assert.deepEqual(select([0, 60_000], 4, faults), { due: [], next_ms: REORDER_WAIT_MS });
  });

  it('is one delivery that has waited long enough', () => {
    assert.deepEqual(select([-REORDER_WAIT_MS, 700], 4, faults), { due: [-REORDER_WAIT_MS], next_ms: 700 });
  });

  it('waits after a delay', () => {
    const both = { ...faults, delay_s: 60 };
    assert.deepEqual(select([-60_000], 4, both), { due: [], next_ms: REORDER_WAIT_MS });
    assert.deepEqual(select([-70_000, -65_000], 4, both), { due: [-65_000, -70_000], next_ms: null });
  });
});

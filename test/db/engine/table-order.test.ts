import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parentsFirst } from '../../../db/engine/table-order.ts';

/** Tables as `name: parents`, in the order that comes out. */
function ordered(tables: Readonly<Record<string, readonly string[]>>): string[] {
  const list = Object.entries(tables).map(([name, parents]) => ({ name, parents }));
  return parentsFirst(list).map(({ name }) => name);
}

describe('tables in the order of their references', () => {
  test('come after those that they refer to', () => {
    assert.deepEqual(
      ordered({ refunds: ['payments'], payments: ['orders', 'cards'], cards: [], orders: [] }),
      ['cards', 'orders', 'payments', 'refunds'],
    );
  });

  test('keep their order otherwise', () => {
    assert.deepEqual(ordered({ b: [], a: [], c: ['a'] }), ['b', 'a', 'c']);
  });

  test('may refer to tables that are not in the list', () => {
    assert.deepEqual(ordered({ a: ['merchants'] }), ['a']);
  });

  test('may refer to each other', () => {
    assert.deepEqual(ordered({ a: ['b'], b: ['a'] }), ['b', 'a']);
  });
});

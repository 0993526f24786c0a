/** Null is a type, in every notation of a nullable schema. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Direction } from '../../scripts/breaking/bounds.ts';
import { Document, type Node } from '../../scripts/breaking/document.ts';
import { SchemaComparison } from '../../scripts/breaking/schemas.ts';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer' };
const NULL = { type: 'null' };
const PAY = { $ref: '#/components/schemas/Pay' };

/** What breaks when a schema, or the one that `Pay` is, becomes another: kind and place. */
function found(direction: Direction, was: unknown, is: unknown, pays: readonly Node[] = []): string[] {
  const said = new Set<string>();
  const [before, after] = [0, 1].map(
    (side) => new Document({ components: { schemas: { Pay: pays[side] } } }),
  );
  const report = (kind: string, where: string) => said.add(`${kind} ${where}`);
  new SchemaComparison(before!, after!, report).compare(was, is, direction, 'body');
  return [...said];
}

describe('adding or removing null is reported once', () => {
  const rows: [string, unknown, unknown][] = [
    ['a type', TEXT, { type: ['string', 'null'] }],
    ['a branch beside one', TEXT, { anyOf: [TEXT, NULL] }],
    ['a branch beside two', { anyOf: [TEXT, COUNT] }, { anyOf: [TEXT, COUNT, NULL] }],
    ['a branch of oneOf', { oneOf: [TEXT, COUNT] }, { oneOf: [TEXT, COUNT, NULL] }],
    ['a branch beside the only value', { const: 'x' }, { anyOf: [{ const: 'x' }, NULL] }],
    ['a value', { enum: ['x'] }, { enum: ['x', null] }],
    [
      'a value and its type',
      { type: 'string', enum: ['x'] },
      { type: ['string', 'null'], enum: ['x', null] },
    ],
    [
      'a value that its type had',
      { type: ['string', 'null'], enum: ['x'] },
      { type: ['string', 'null'], enum: ['x', null] },
    ],
  ];
  for (const [what, without, withNull] of rows) {
    it(`as ${what}`, () => {
      assert.deepEqual(found('answer', without, withNull), ['type-changed body']);
      assert.deepEqual(found('request', withNull, without), ['type-changed body']);
      assert.deepEqual(found('answer', withNull, without), []);
      assert.deepEqual(found('request', without, withNull), []);
    });
  }

  it('as a branch beside a reference to a union', () => {
    const union = { oneOf: [TEXT, COUNT] };
    const nullable = { anyOf: [PAY, NULL] };
    assert.deepEqual(found('answer', PAY, nullable, [union, union]), ['type-changed body']);
    assert.deepEqual(found('request', nullable, PAY, [union, union]), ['type-changed body']);
  });

  it('in another notation is not reported', () => {
    const forms = [{ type: ['string', 'null'] }, { anyOf: [NULL, TEXT] }, { oneOf: [TEXT, NULL] }];
    for (const was of forms) {
      for (const is of forms) {
        assert.deepEqual([...found('request', was, is), ...found('answer', was, is)], []);
      }
    }
  });
});

describe('a schema that several places refer to', () => {
  const places = { type: 'object', properties: { a: PAY, b: PAY } };
  const nullable = { type: ['string', 'null'] };

  it('is reported once by its name if null is added or removed', () => {
    assert.deepEqual(found('answer', places, places, [TEXT, nullable]), ['type-changed Pay']);
    assert.deepEqual(found('request', places, places, [nullable, TEXT]), ['type-changed Pay']);
  });

  it('is reported once by its name if no value is valid any more', () => {
    const lists = { type: 'object', properties: { a: { items: PAY }, b: { items: PAY } } };
    assert.deepEqual(found('request', lists, lists, [TEXT, { not: {} }]), ['bound-tightened Pay']);
  });
});

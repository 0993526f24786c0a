/** Keywords that say something together, and what says the same in another order or form. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Direction } from '../../scripts/breaking/bounds.ts';
import { breakingChanges } from '../../scripts/breaking/operations.ts';
import type { Json } from '../support/service.ts';
import { smallContract } from './breaking/contract.ts';
import { found } from './breaking/found.ts';

const TEXT = { type: 'string' };
const COUNT = { type: 'integer' };

describe('the removal of one of several constraints', () => {
  const rows: [string, Direction, object, object, string[]][] = [
    [
      'names of fields by a pattern',
      'request',
      { patternProperties: { '^a': TEXT }, additionalProperties: false },
      { additionalProperties: false },
      ['rule-changed Pay'],
    ],
    [
      'the first entries of a list',
      'request',
      { prefixItems: [COUNT], items: TEXT },
      { items: TEXT },
      ['rule-changed Pay'],
    ],
    [
      'the first entries of a list',
      'answer',
      { items: TEXT },
      { prefixItems: [COUNT], items: TEXT },
      ['rule-changed Pay'],
    ],
    ['a part of a whole', 'request', { allOf: [TEXT] }, {}, []],
    [
      'a part of a whole that takes no other fields',
      'request',
      { allOf: [{ properties: { a: TEXT } }], unevaluatedProperties: false },
      { unevaluatedProperties: false },
      ['rule-changed Pay'],
    ],
    [
      'a union of what takes no other fields',
      'request',
      { anyOf: [{ properties: { a: TEXT } }], unevaluatedProperties: false },
      { unevaluatedProperties: false },
      ['rule-changed Pay'],
    ],
  ];
  for (const [what, direction, was, is, expected] of rows) {
    it(`is reported if it allowed what is now refused: ${what}, ${direction}`, () =>
      assert.deepEqual(found(direction, was, is), expected));
  }
});

it('a new optional field of a closed object is not reported', () => {
  for (const closed of [{ additionalProperties: false }, { unevaluatedProperties: false }]) {
    const schema = (properties: object) => ({ type: 'object', properties, ...closed });
    assert.deepEqual(found('request', schema({ a: TEXT }), schema({ a: TEXT, b: TEXT })), []);
  }
});

it('the order of unordered lists is not reported', () => {
  const rule = (flip: <T>(list: T[]) => T[]) => ({
    allOf: flip([
      { type: flip(['string', 'null']), enum: flip(['x', 'y']) },
      { required: flip(['a', 'b']), anyOf: flip([TEXT, COUNT]) },
    ]),
  });
  assert.deepEqual(
    found(
      'request',
      rule((list) => list),
      rule((list) => list.toReversed()),
    ),
    [],
  );
  const list = (values: number[]) => ({ not: { enum: [values] } });
  assert.deepEqual(found('request', list([1, 2]), list([2, 1])), ['rule-changed Pay']);
});

describe('a change in another media type', () => {
  const media = (schema: object) => ({ content: { 'application/json': { schema } } });
  const get = (contract: Json) => contract.paths['/orders'].get;
  const rows: [string, (contract: Json, schema: object) => void, string][] = [
    [
      'a parameter',
      (c, schema) => get(c).parameters.push({ name: 'filter', in: 'query', ...media(schema) }),
      'type-changed listOrders query filter',
    ],
    [
      'a header',
      (c, schema) => (get(c).responses[200].headers.Total = media(schema)),
      'type-changed listOrders 200 Total',
    ],
    [
      'a header of an event',
      (c, schema) =>
        c.webhooks['order.paid'].post.parameters.push({ name: 'X-Total', in: 'header', ...media(schema) }),
      'type-changed order.paid header X-Total',
    ],
  ];
  for (const [what, plant, expected] of rows) {
    it(`is reported: ${what}`, () => {
      const [before, after] = [smallContract(), smallContract()];
      plant(before, COUNT);
      plant(after, TEXT);
      const changes = breakingChanges(before, after).map(({ kind, where }) => `${kind} ${where}`);
      assert.deepEqual(changes, [expected]);
    });
  }
});

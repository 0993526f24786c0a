/** Parts of a schema that look like texts or like nothing, but are names of fields, values or refusals. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Direction } from '../../scripts/breaking/bounds.ts';
import { Document } from '../../scripts/breaking/document.ts';
import { SchemaComparison } from '../../scripts/breaking/schemas.ts';

/** What breaks when a schema becomes another: kind and place. */
function found(direction: Direction, was: unknown, is: unknown): string[] {
  const said: string[] = [];
  const document = new Document({ components: { schemas: { Never: false } } });
  const report = (kind: string, where: string) => said.push(`${kind} ${where}`);
  new SchemaComparison(document, document, report).compare(was, is, direction, 'Pay');
  return said;
}

const branch = (schema: unknown) => ({ allOf: [schema] });
const TEXT = { type: 'string' };
const NEVER = { $ref: '#/components/schemas/Never' };
const withTitle = (title: unknown) => ({ type: 'object', properties: { title } });

describe('a field or schema with the name of a text keyword', () => {
  const rows: [string, object, object][] = [
    ['of a field', branch({ properties: { title: true } }), branch({ properties: { title: false } })],
    [
      'of the examples of something',
      branch({ properties: { examples: TEXT } }),
      branch({ properties: { examples: { type: 'integer' } } }),
    ],
    [
      'of what asks for others',
      { dependentRequired: { description: ['a'] } },
      { dependentRequired: { description: ['a', 'b'] } },
    ],
    [
      'of what asks for a schema',
      { dependentSchemas: { examples: {} } },
      { dependentSchemas: { examples: false } },
    ],
    ['of a pattern', { patternProperties: { title: true } }, { patternProperties: { title: false } }],
    [
      'of a definition',
      branch({ $defs: { summary: true }, $ref: '#/nowhere' }),
      branch({ $defs: { summary: false }, $ref: '#/nowhere' }),
    ],
    ['in a default', { default: { title: 'a' } }, { default: { title: 'b' } }],
    ['in the only value', branch({ const: { title: 'a' } }), branch({ const: { title: 'b' } })],
    [
      'in one of the values',
      branch({ enum: [{ description: 'a' }] }),
      branch({ enum: [{ description: 'b' }] }),
    ],
    [
      'of a field named properties',
      branch({ properties: { properties: { title: 'Old', type: 'string' } } }),
      branch({ properties: { properties: { title: 'Old', type: 'integer' } } }),
    ],
  ];
  for (const [what, was, is] of rows) {
    it(`is compared as a name ${what}`, () => assert.notDeepEqual(found('request', was, is), []));
  }

  it('is ignored where it is a text, also in the schema of a field named properties', () => {
    const schema = (title: string) =>
      branch({ title, examples: [title], properties: { properties: { title, description: title } } });
    assert.deepEqual(found('request', schema('Old'), schema('New')), []);
  });
});

describe('the schema that allows no value', () => {
  const rows: [string, Direction, unknown, unknown, string[]][] = [
    ['a field', 'request', withTitle(TEXT), withTitle(false), ['field-removed Pay.title']],
    ['a field', 'request', withTitle(TEXT), withTitle(NEVER), ['field-removed Pay.title']],
    ['a field', 'request', withTitle(TEXT), withTitle({ not: {} }), ['field-removed Pay.title']],
    ['a field', 'answer', withTitle(TEXT), withTitle(false), ['field-removed Pay.title']],
    ['a field', 'request', withTitle(false), withTitle(TEXT), []],
    ['a field', 'answer', withTitle(false), withTitle(TEXT), []],
    ['a field', 'request', withTitle(false), withTitle(NEVER), []],
    ['a field that was free', 'request', { type: 'object' }, withTitle(false), ['bound-tightened Pay.title']],
    ['entries', 'request', { items: TEXT }, { items: false }, ['bound-tightened Pay[]']],
    ['entries', 'request', { items: false }, { items: TEXT }, []],
    ['entries', 'answer', { items: false }, { items: TEXT }, ['bound-loosened Pay[]']],
    ['entries', 'answer', { items: TEXT }, { items: false }, ['field-removed Pay[]']],
    ['entries', 'answer', { items: false }, { items: false }, []],
    ['a body', 'answer', withTitle(TEXT), NEVER, ['field-removed Pay']],
  ];
  for (const [what, direction, was, is, expected] of rows) {
    const title = `for ${what}: ${direction}, ${JSON.stringify(was)} → ${JSON.stringify(is)}`;
    it(title, () => assert.deepEqual(found(direction, was, is), expected));
  }
});

describe('a boolean schema and the equivalent object', () => {
  const condition = (chosen: unknown, other: unknown) => ({
    if: { properties: { title: chosen }, required: ['title'] },
    else: { allOf: [{ properties: { title: other } }, other], not: other },
  });
  const cases: [string, unknown, unknown, boolean][] = [
    ['are the same', condition(true, false), condition({}, { not: {} }), true],
    ['differ from their opposites', condition(true, false), condition({ not: {} }, {}), false],
    ['differ where they are values', branch({ const: [true] }), branch({ const: [{}] }), false],
  ];
  for (const [what, was, is, areSame] of cases) {
    it(what, () => {
      for (const direction of ['request', 'answer'] as const) {
        for (const pair of [[was, is] as const, [is, was] as const]) {
          assert.equal(found(direction, ...pair).length === 0, areSame, direction);
        }
      }
    });
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import generated from '../../generated/openapi.json' with { type: 'json' };
import type { Direction } from '../../scripts/breaking/bounds.ts';
import { breakingChanges } from '../../scripts/breaking/operations.ts';
import type { Json } from '../support/service.ts';
import { found } from './breaking/found.ts';

const CARD = { type: 'object', properties: { kind: { const: 'card' } }, required: ['kind'] };
const PIX = {
  type: 'object',
  properties: { kind: { const: 'pix' }, key: { type: 'string', maxLength: 9 } },
  required: ['kind', 'key'],
};
const LONGER = { ...PIX, properties: { ...PIX.properties, key: { type: 'string', maxLength: 10 } } };
const SHORT = { type: 'string', maxLength: 5 };
const COUNT = { type: 'integer' };

describe('an error body that several answers share', () => {
  it('may get a field without a report', () => {
    const changed: Json = structuredClone(generated);
    changed.components.schemas.ErrorBody.properties.hint = { type: 'string' };
    assert.deepEqual(breakingChanges(generated, changed), []);
  });

  it('is reported once by its name if it loses a field', () => {
    const changed: Json = structuredClone(generated);
    delete changed.components.schemas.ErrorBody.properties.details;
    assert.deepEqual(
      breakingChanges(generated, changed).map(({ kind, where }) => `${kind} ${where}`),
      ['field-removed ErrorBody.details'],
    );
  });

  it('is reported if an answer can no longer be it', () => {
    const changed: Json = structuredClone(generated);
    changed.components.schemas.ValidationOrKeyError.oneOf.pop();
    assert.deepEqual(breakingChanges(generated, changed), [
      { kind: 'rule-changed', where: 'ValidationOrKeyError ErrorEnvelope', what: 'is removed from oneOf' },
    ]);
  });
});

it('a schema that becomes one of several in an answer is reported once, and its own changes are reported too', () => {
  const changed: Json = structuredClone(generated);
  const before: Json = structuredClone(generated);
  before.components.schemas.Event.properties.data = { $ref: '#/components/schemas/Payment' };
  delete changed.components.schemas.Payment.properties.hash;
  assert.deepEqual(
    breakingChanges(before, changed)
      .map(({ kind, where }) => `${kind} ${where}`)
      .sort(),
    ['field-removed Payment.hash', 'rule-changed Event.data'],
  );
});

describe('a union', () => {
  const rows: [string, Direction, object, object, string[]][] = [
    ['a branch that takes more', 'request', { oneOf: [CARD, PIX] }, { oneOf: [CARD, LONGER] }, []],
    [
      'a branch that takes less',
      'request',
      { oneOf: [CARD, LONGER] },
      { oneOf: [CARD, PIX] },
      ['bound-tightened Pay oneOf 2.key'],
    ],
    [
      'a branch that answers more',
      'answer',
      { oneOf: [CARD, PIX] },
      { oneOf: [LONGER, CARD] },
      ['bound-loosened Pay oneOf 2.key'],
    ],
    ['another order', 'answer', { oneOf: [CARD, PIX] }, { oneOf: [PIX, CARD] }, []],
    [
      'a titled branch',
      'answer',
      { anyOf: [{ title: 'Code', ...SHORT }, COUNT] },
      { anyOf: [COUNT, { title: 'Code', type: 'string', maxLength: 6 }] },
      ['bound-loosened Pay Code'],
    ],
    [
      'a titled branch that is hardly like itself',
      'answer',
      { anyOf: [{ title: 'Code', ...SHORT }, COUNT] },
      { anyOf: [COUNT, { title: 'Code', type: 'boolean' }] },
      ['type-changed Pay Code', 'bound-loosened Pay Code'],
    ],
    ['one more to send', 'request', { anyOf: [CARD] }, { anyOf: [CARD, SHORT] }, []],
    ['one more to read', 'answer', { anyOf: [CARD] }, { anyOf: [CARD, SHORT] }, ['rule-changed Pay anyOf 2']],
    [
      'one less to send',
      'request',
      { anyOf: [CARD, SHORT] },
      { anyOf: [CARD] },
      ['rule-changed Pay anyOf 2'],
    ],
    [
      'another in place of one',
      'answer',
      { oneOf: [CARD, SHORT] },
      { oneOf: [CARD, COUNT] },
      ['rule-changed Pay oneOf 2', 'rule-changed Pay oneOf 2'],
    ],
    [
      'a branch that now takes what was the other one’s',
      'request',
      { oneOf: [SHORT, { type: 'string', minLength: 6 }] },
      {
        oneOf: [
          { type: 'string', maxLength: 6 },
          { type: 'string', minLength: 6 },
        ],
      },
      ['rule-changed Pay'],
    ],
    ['a union that is new', 'request', {}, { oneOf: [CARD, SHORT] }, ['rule-changed Pay']],
    ['a union that is removed', 'request', { oneOf: [CARD, SHORT] }, {}, []],
    ['a union that is removed', 'answer', { oneOf: [CARD, SHORT] }, {}, ['rule-changed Pay']],
  ];
  for (const [what, direction, was, is, expected] of rows) {
    it(`with ${what}: ${direction}`, () => assert.deepEqual(found(direction, was, is), expected));
  }
});

/**
 * Whatever the two contracts are: where the check lets a change through, what was accepted is accepted still, and
 * what is answered is what could be answered before.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { Direction } from '../../scripts/breaking/bounds.ts';
import { Document } from '../../scripts/breaking/document.ts';
import { SchemaComparison } from '../../scripts/breaking/schemas.ts';
import { objectSchema, objectValue, schemaPair } from './breaking/arbitrary-schemas.ts';

const RUNS = 250;
const VALUES = 40;

function isLetThrough(before: object, after: object, direction: Direction): boolean {
  let changes = 0;
  const document = new Document({});
  new SchemaComparison(document, document, () => {
    changes += 1;
  }).compare(before, after, direction, 'body');
  return changes === 0;
}

/** Whether each value that `narrow` takes is one that `wide` takes. */
function assertWithin(narrow: object, wide: object, values: readonly object[]): void {
  const ajv = new Ajv2020({ strict: false });
  const [isNarrow, isWide] = [ajv.compile(narrow), ajv.compile(wide)];
  for (const value of values) if (isNarrow(value)) assert.ok(isWide(value), JSON.stringify(value));
}

/**
 * Without what an answer may grow by: fields that were not listed, values of an enum. A reader asks whether one branch
 * fits, not whether another does too.
 */
function asReadByClients(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asReadByClients);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { enum: _values, additionalProperties: _others, ...said } = schema as Record<string, unknown>;
  const { oneOf, ...beside } = said;
  const rest = Array.isArray(oneOf) ? { ...beside, anyOf: oneOf } : said;
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, asReadByClients(value)]));
}

describe('a change that the check allows', () => {
  it('accepts every request that was accepted before', () => {
    let allowed = 0;
    fc.assert(
      fc.property(
        schemaPair,
        fc.array(objectValue, { minLength: VALUES, maxLength: VALUES }),
        (pair, values) => {
          const [before, after] = pair;
          if (!isLetThrough(before, after, 'request')) return;
          allowed += 1;
          assertWithin(before, after, values);
        },
      ),
      { numRuns: RUNS },
    );
    assert.ok(allowed > RUNS / 20, `only ${allowed} were allowed`);
  });

  it('returns no answer that clients could not get before', () => {
    let allowed = 0;
    fc.assert(
      fc.property(
        schemaPair,
        fc.array(objectValue, { minLength: VALUES, maxLength: VALUES }),
        (pair, values) => {
          const [before, after] = pair;
          if (!isLetThrough(before, after, 'answer')) return;
          allowed += 1;
          assertWithin(asReadByClients(after) as object, asReadByClients(before) as object, values);
        },
      ),
      { numRuns: RUNS },
    );
    assert.ok(allowed > RUNS / 20, `only ${allowed} were allowed`);
  });

  it('includes every change without an effect', () => {
    fc.assert(
      fc.property(objectSchema, fc.constantFrom('request', 'answer'), (schema, direction) => {
        assert.ok(isLetThrough(schema, structuredClone(schema), direction as Direction));
      }),
    );
  });
});

/** A breaking change in one place is reported for that place, and one in a shared schema once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import generated from '../../generated/openapi.json' with { type: 'json' };
import { Document } from '../../scripts/breaking/document.ts';
import { breakingChanges } from '../../scripts/breaking/operations.ts';
import { SchemaComparison } from '../../scripts/breaking/schemas.ts';
import type { Json } from '../support/service.ts';

const NAME = '#/components/schemas/UtcTimestamp';

/** Every node that refers to a schema, with the keywords beside the reference. */
function referencesTo(name: string, node: unknown): Json[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap((one) => referencesTo(name, one));
  return (node as Json).$ref === name ? [node as Json, ...below] : below;
}

/** Kind and place of what breaks when each schema of the contract is changed so. */
function found(change: (contract: Json) => void, before: Json = generated): string[] {
  const changed: Json = structuredClone(before);
  change(changed);
  return breakingChanges(before, changed).map(({ kind, where }) => `${kind} ${where}`);
}

describe('a change of a schema that several places refer to', () => {
  it('is reported for each place that now refers to another schema', () => {
    let count = 0;
    const changes = found((c) => {
      const places = referencesTo(NAME, c.components.schemas);
      for (const place of places) place.$ref = NAME.replace('Utc', 'Local');
      count = places.length;
    });
    assert.ok(count >= 10);
    assert.equal(changes.length, count, changes.join('\n'));
    assert.ok(changes.includes('rule-changed Payment.created_at'));
  });

  it('is reported for each place with another constraint beside its reference', () => {
    const changes = found((c) => {
      for (const place of referencesTo(NAME, c.components.schemas)) place.pattern = '^2';
    });
    assert.ok(changes.length >= 10, changes.join('\n'));
  });

  it('is reported once by its name if all places have the same constraint beside it', () => {
    const before: Json = structuredClone(generated);
    for (const place of referencesTo(NAME, before.components.schemas)) place.readOnly = true;
    const changes = found((c) => (c.components.schemas.UtcTimestamp.pattern = '^2'), before);
    assert.deepEqual(changes, ['rule-changed UtcTimestamp']);
  });
});

it('the comparison of schemas that refer to themselves at different depths ends', () => {
  const deep = (inner: object): object => ({ type: 'object', properties: { x: inner } });
  const reference = { $ref: '#/components/schemas/A' };
  const contract = (schema: object) => new Document({ components: { schemas: { A: schema } } });
  const documents = [contract(deep(deep(reference))), contract(deep(deep(reference)))] as const;
  const reported: string[] = [];
  const comparison = new SchemaComparison(...documents, (kind, where) => reported.push(`${kind} ${where}`));
  comparison.compare(reference, deep(reference), 'request', 'body');
  assert.deepEqual(reported, []);
});

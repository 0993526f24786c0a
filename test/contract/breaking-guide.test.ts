/** What the guide of versions says may come at any time is what the check lets through, and no more. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import generated from '../../generated/openapi.json' with { type: 'json' };
import { breakingChanges } from '../../scripts/breaking/operations.ts';
import type { Json } from '../support/service.ts';

const guide = readFileSync(join(import.meta.dirname, '../../web/guides/60-versioning.md'), 'utf8');

/** Nodes of the document that a test of `isMeant` lets through. */
function nodesOf(node: unknown, isMeant: (node: Json) => boolean): Json[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap((one) => nodesOf(one, isMeant));
  return isMeant(node as Json) ? [node as Json, ...below] : below;
}

it('a new value of any enum of the contract is allowed, as the guide says', () => {
  assert.match(
    guide,
    /^- new values in answers and events, wherever the contract lists the values of a field/m,
  );
  const changed: Json = structuredClone(generated);
  const lists = nodesOf([changed.paths, changed.webhooks, changed.components.schemas], (node) =>
    Array.isArray(node.enum),
  );
  assert.ok(lists.length > 10);
  for (const list of lists) list.enum.push('later');
  assert.deepEqual(breakingChanges(generated, changed), []);
});

it('a longer hash is allowed, but no new characters', () => {
  assert.match(guide, /, and longer hashes with the same characters$/m);
  const hashes = nodesOf(generated.components.schemas, (node) => typeof node.hash === 'object').map(
    ({ hash }) => hash,
  );
  assert.ok(hashes.length >= 3);
  for (const { pattern } of hashes) {
    assert.match('a'.repeat(16), new RegExp(pattern));
    assert.match('a'.repeat(500), new RegExp(pattern));
    assert.doesNotMatch('A'.repeat(16), new RegExp(pattern));
  }
});

it('another format of cursors is allowed, because the contract does not define it in answers', () => {
  assert.match(guide, /^- another length or form of cursors,/m);
  assert.deepEqual(Object.keys(generated.components.schemas.Pagination.properties.next_cursor).sort(), [
    'description',
    'type',
  ]);
});

it('a new refusal of an operation is allowed, but no new success', () => {
  assert.match(guide, /^- new refusals: a status of 400 or above/m);
  assert.match(guide, /; another success status of an operation, such as a 202/);
  const withAnswer = (status: string) => {
    const changed: Json = structuredClone(generated);
    const operations = nodesOf(changed.paths, (node) => typeof node.operationId === 'string');
    for (const { responses } of operations) responses[status] ??= { description: 'Later.' };
    return breakingChanges(generated, changed).map(({ kind }) => kind);
  };
  for (const status of ['402', '409', '425', '500', '504']) assert.deepEqual(withAnswer(status), []);
  assert.deepEqual([...new Set(withAnswer('206'))], ['answer-added']);
});

describe('a change that affects only generated code', () => {
  const shown = (change: (contract: Json) => void) => {
    const changed: Json = structuredClone(generated);
    change(changed);
    assert.notEqual(JSON.stringify(changed), JSON.stringify(generated));
    assert.deepEqual(breakingChanges(generated, changed), []);
  };

  it('can be the name of a schema', () => {
    assert.match(guide, /the\nnames of schemas, which become names of classes;/);
    const renamed = JSON.parse(JSON.stringify(generated).replaceAll('schemas/Customer"', 'schemas/Buyer"'));
    renamed.components.schemas.Buyer = renamed.components.schemas.Customer;
    delete renamed.components.schemas.Customer;
    shown((contract) => Object.assign(contract, renamed));
  });

  it('can be the order of parameters, fields and values', () => {
    assert.match(guide, /; the order of parameters, fields and values,/);
    shown((contract) => {
      for (const { parameters } of nodesOf(contract.paths, (node) => Array.isArray(node.parameters)))
        parameters.reverse();
      for (const list of nodesOf(contract.components.schemas, (node) => Array.isArray(node.enum)))
        list.enum.reverse();
      for (const schema of Object.values(contract.components.schemas) as Json[])
        if (schema.properties)
          schema.properties = Object.fromEntries(Object.entries(schema.properties).reverse());
    });
  });

  it('is a new format, pattern or bound in an answer', () => {
    assert.match(guide, /a `format`, `pattern` or limit that is added to answers/);
    shown(({ components: { schemas } }) => {
      Object.assign(schemas.Customer.properties.name, { format: 'name', pattern: '.', maxLength: 9 });
    });
  });
});

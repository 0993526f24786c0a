import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import generated from '../../generated/openapi.json' with { type: 'json' };
import { breakingChanges } from '../../scripts/breaking/operations.ts';
import type { Json } from '../support/service.ts';

/** What breaks when the contract is changed so. */
function found(change: (contract: Json) => void) {
  const changed: Json = structuredClone(generated);
  change(changed);
  return breakingChanges(generated, changed);
}

function operationsOf(contract: Json): Json[] {
  return Object.values(contract.paths).flatMap((item) =>
    Object.values(item as Json).filter((one) => (one as Json)?.operationId !== undefined),
  ) as Json[];
}

describe('a change of a schema that many places share', () => {
  const rows: [string, string, (contract: Json) => void][] = [
    ['answer-header-removed', 'header X-Request-Id', (c) => (header(c, 'X-Request-Id').required = false)],
    ['type-changed', 'header RateLimit-Reset', (c) => (header(c, 'RateLimit-Reset').schema.type = 'string')],
    ['default-changed', 'parameter PerPage', (c) => (parameter(c, 'PerPage').schema.default = 7)],
    ['bound-tightened', 'parameter PerPage', (c) => (parameter(c, 'PerPage').schema.maximum = 7)],
    ['parameter-removed', 'parameter PerPage', (c) => (parameter(c, 'PerPage').name = 'page_size')],
    ['parameter-required', 'parameter PerPage', (c) => (parameter(c, 'PerPage').required = true)],
    ['parameter-changed', 'parameter Cursor', (c) => (parameter(c, 'Cursor').style = 'pipeDelimited')],
    [
      'parameter-required',
      'parameter Idempotency-Key',
      (c) => (parameter(c, 'Idempotency-Key').required = true),
    ],
    [
      'answer-header-removed',
      'response Unauthorized X-Request-Id',
      (c) => delete c.components.responses.Unauthorized.headers['X-Request-Id'],
    ],
    [
      'media-type-removed',
      'response Unauthorized application/json',
      (c) => (c.components.responses.Unauthorized.content = {}),
    ],
    ['security-changed', 'security', (c) => (c.security = [{ ApiKey: [], Other: [] }])],
  ];
  for (const [kind, where, change] of rows) {
    it(`is reported once: ${kind} ${where}`, () => {
      const changes = found(change);
      assert.deepEqual(
        changes.map((one) => `${one.kind} ${one.where}`),
        [`${kind} ${where}`],
      );
      assert.match(changes[0]!.what, / \(in \d+ places\)$/);
    });
  }

  it('is reported for the one place that no longer uses it', () => {
    const changes = found((c) => {
      delete operation(c, 'listPayments').responses[200].headers['X-Request-Id'];
      operation(c, 'listCustomers').parameters.shift();
    });
    assert.deepEqual(
      changes.map(({ where, what }) => `${where}: ${what}`),
      ['listCustomers query per_page: is removed', 'listPayments 200 X-Request-Id: cannot be relied upon'],
    );
  });

  it('is reported for the one place that now has its own schema', () => {
    const changes = found((c) => {
      const [reference] = operation(c, 'listCustomers').parameters;
      reference.required = true;
    });
    assert.deepEqual(
      changes.map(({ where, what }) => `${where}: ${what}`),
      ['listCustomers query per_page: is required'],
    );
  });
});

describe('the first tag of operations', () => {
  const renamed = (contract: Json, from: string, to: string, keep = 0) => {
    const those = operationsOf(contract).filter(({ tags }) => tags[0] === from);
    for (const { tags } of those.slice(keep)) tags[0] = to;
    return those.slice(keep).map(({ operationId }) => operationId);
  };

  it('is reported once if all of them get another', () => {
    assert.deepEqual(
      found((c) => renamed(c, 'customers', 'buyers')),
      [{ kind: 'tag-changed', where: 'tag customers', what: 'is now buyers' }],
    );
  });

  it('is reported for each operation that gets another, if others keep it', () => {
    let names: string[] = [];
    const changes = found((c) => {
      names = renamed(c, 'customers', 'buyers', 1);
    });
    assert.ok(names.length > 1);
    assert.deepEqual(
      changes,
      names.map((name) => ({ kind: 'tag-changed', where: `${name} tag`, what: 'customers → buyers' })),
    );
  });

  it('may get another description, or a second tag after it', () => {
    assert.deepEqual(
      found((c) => {
        for (const tag of c.tags) tag.description = 'Other words.';
        for (const { tags } of operationsOf(c)) tags.push('all');
      }),
      [],
    );
  });
});

function header(contract: Json, name: string): Json {
  return contract.components.headers[name];
}

function parameter(contract: Json, name: string): Json {
  return contract.components.parameters[name];
}

function operation(contract: Json, name: string): Json {
  return operationsOf(contract).find(({ operationId }) => operationId === name)!;
}

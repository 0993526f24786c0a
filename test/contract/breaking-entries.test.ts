/** The text of an entry, which the author of a declaration reads. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import generated from '../../generated/openapi.json' with { type: 'json' };
import { breakingChanges } from '../../scripts/breaking/operations.ts';
import type { Json } from '../support/service.ts';

/** What breaks when the schemas of a contract are changed so: `where: what`. */
function entriesAfter(change: (schemas: Json) => void, before: Json = structuredClone(generated)): string[] {
  const changed: Json = structuredClone(before);
  change(changed.components.schemas);
  return breakingChanges(before, changed).map(({ where, what }) => `${where}: ${what}`);
}

const words = (last: string) => Array.from({ length: 30 }, (_, at) => `word${at}`).concat(last);

describe('several breaking changes of one kind and place', () => {
  it('are reported in one entry', () => {
    const changes = entriesAfter(({ OrderCreate }) => {
      OrderCreate.properties.mcc = { ...OrderCreate.properties.mcc, pattern: '^5', format: 'hostname' };
    });
    assert.equal(changes.length, 1);
    assert.match(changes[0]!, /^OrderCreate\.mcc: pattern .* → "\^5"; format nothing → "hostname"$/);
  });

  it('are reported once if they are the same', () => {
    // Sent and answered.
    const changes = entriesAfter(({ Currency }) => Currency.enum.pop());
    assert.match(changes.join('\n'), /^Currency "\w+": "\w+" is removed$/);
  });
});

describe('a long constraint in a report', () => {
  const rows: [string, unknown, unknown, string][] = [
    ['is quoted where it differs', words('old'), words('new'), 'word29","old"] → …'],
    ['is quoted completely if it is short', ['old'], ['new'], '["old"] → ["new"]'],
    [
      'is quoted at its start if it differs there',
      ['old', ...words('')],
      ['new', ...words('')],
      '["old","word0',
    ],
    ['is quoted where it continues', words(''), [...words(''), 'more'], '"","more"]'],
    ['is quoted where half of it is removed', words('old').concat(words('')), words(''), '"old","word0"'],
  ];
  for (const [what, was, is, expected] of rows) {
    it(what, () => {
      const before: Json = structuredClone(generated);
      before.components.schemas.OrderCreate.properties.mcc.prefixItems = was;
      const [change, ...others] = entriesAfter(
        (c) => (c.OrderCreate.properties.mcc.prefixItems = is),
        before,
      );
      assert.deepEqual(others, []);
      assert.ok(change!.includes(expected), change);
      const [old, now] = change!.split(' prefixItems ')[1]!.split(' → ');
      assert.notEqual(old, now);
      assert.ok(change!.length <= 200, change);
    });
  }
});

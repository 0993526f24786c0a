import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { KINDS } from '../../scripts/breaking/change.ts';
import { breakingChanges } from '../../scripts/breaking/operations.ts';
import { ANSWERS } from './breaking/answers.ts';
import { smallContract } from './breaking/contract.ts';
import { OPERATIONS } from './breaking/operations.ts';
import { SCHEMAS } from './breaking/schemas.ts';

const root = join(import.meta.dirname, '../..');

/** At least one of each kind. */
const PLANTED = [...OPERATIONS, ...ANSWERS, ...SCHEMAS];

/** Kind and place of what breaks when the small contract is changed so. */
function found(change: (contract: ReturnType<typeof smallContract>) => void): string[] {
  const changed = smallContract();
  change(changed);
  return breakingChanges(smallContract(), changed).map(({ kind, where }) => `${kind} ${where}`);
}

describe('the current contract', () => {
  it('declares all its breaking changes', () => {
    const said = execFileSync(process.execPath, [join(root, 'scripts/breaking-changes.ts')], {
      encoding: 'utf8',
    });
    assert.match(said, /, 0 not\.$/m);
  });

  it('does not differ from itself', () => {
    const contract = JSON.parse(readFileSync(join(root, 'generated/openapi.json'), 'utf8'));
    assert.deepEqual(breakingChanges(contract, structuredClone(contract)), []);
    assert.deepEqual(
      found(() => {}),
      [],
    );
  });
});

describe('a breaking change', () => {
  // One test of the whole table: each row takes less than a millisecond.
  it('is found, and no other change', () => {
    const expected = PLANTED.map(({ kind, where }) => [`${kind} ${where}`]);
    assert.deepEqual(
      PLANTED.map(({ change }) => found(change)),
      expected,
    );
  });

  it('is planted here for every kind', () => {
    const planted = new Set<string>(PLANTED.map(({ kind }) => kind));
    assert.deepEqual(
      Object.keys(KINDS).filter((kind) => !planted.has(kind)),
      [],
    );
  });

  it('of a schema that operations share is reported once', () => {
    const changes = found((contract) => delete contract.components.schemas.Order.properties.total);
    assert.deepEqual(changes, ['field-removed Order.total']);
  });

  it('is reported at the place that has another schema', () => {
    const changes = found(({ components }) => {
      components.schemas.OrderCreate.properties.buyer = { $ref: '#/components/schemas/Order' };
    });
    assert.ok(changes.includes('field-removed OrderCreate.buyer.name'));
    // An order may have a parent, and so on without end.
    assert.ok(changes.includes('field-required OrderCreate.buyer.parent.id'));
    assert.deepEqual(
      changes.filter((change) => !change.includes(' OrderCreate.buyer')),
      [],
    );
  });
});

describe('a compatible change that resembles a breaking one', () => {
  it('is allowed, although it changes the contract', () => {
    for (const { kind, where, change, harmless } of PLANTED) {
      const name = `${kind} at ${where}`;
      assert.notDeepEqual(changed(harmless), smallContract(), name);
      assert.notDeepEqual(changed(harmless), changed(change), name);
      assert.deepEqual(found(harmless), [], name);
    }
  });
});

function changed(change: (contract: ReturnType<typeof smallContract>) => void) {
  const contract = smallContract();
  change(contract);
  return contract;
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDeclarations } from '../../scripts/breaking/declarations.ts';
import type { Json } from '../support/service.ts';
import { Clone, NOTHING } from './breaking/clone.ts';
import { smallContract } from './breaking/contract.ts';

const DECLARED = `changes:
  - date: '2026-12-01'
    kind: field-removed
    where: Order.total
    change: Add the parts up.
    reason: It was wrong.
`;

function withoutTotal(): Json {
  const contract = smallContract();
  delete contract.components.schemas.Order.properties.total;
  return contract;
}

function withField(): Json {
  const contract = smallContract();
  contract.components.schemas.Order.properties.extra = { type: 'string' };
  return contract;
}

describe('the check of breaking changes', () => {
  it('finds a breaking change that is not committed', () => {
    using clone = Clone.begun();
    clone.write(withoutTotal(), NOTHING);
    const { status, said } = clone.check();
    assert.equal(status, 1);
    assert.match(said, /^BREAKING Order\.total: is removed$/m);
    assert.match(said, /\(not committed\)/);
  });

  it('finds a committed breaking change, also after later commits', () => {
    using clone = Clone.begun();
    clone.commit(withoutTotal(), NOTHING);
    const [commit] = clone.git('log', '--format=%h', '-1').split('\n');
    clone.commit({ ...withoutTotal(), info: { title: 'Later' } }, '# words\nchanges: []\n');
    const { status, said } = clone.check();
    assert.equal(status, 1);
    assert.match(said, /^BREAKING Order\.total: is removed$/m);
    assert.ok(said.includes(`(${commit})`), said);
  });

  it('allows a declared breaking change, before and after it is committed', () => {
    using clone = Clone.begun();
    clone.write(withoutTotal(), DECLARED);
    assert.deepEqual([clone.check().status, clone.check().said.includes('BREAKING')], [0, false]);
    clone.commit(withoutTotal(), DECLARED);
    assert.equal(clone.check().status, 0);
    assert.match(clone.check().said, /^1 breaking changes declared, 0 not\.$/m);
  });

  it('allows a breaking change that is declared later', () => {
    using clone = Clone.begun();
    clone.commit(withoutTotal(), NOTHING);
    clone.commit(withoutTotal(), DECLARED);
    assert.equal(clone.check().status, 0);
  });

  it('requires another declaration for a second breaking change of the same place', () => {
    using clone = Clone.begun();
    clone.commit(withoutTotal(), DECLARED);
    clone.commit(smallContract(), DECLARED);
    clone.commit(withoutTotal(), DECLARED);
    assert.equal(clone.check().status, 1);
  });

  it('allows additions, and says how much it has compared', () => {
    using clone = Clone.begun();
    clone.commit(withField(), NOTHING);
    const { status, said } = clone.check();
    assert.equal(status, 0);
    assert.match(said, /^2 steps of the contract since [0-9a-f]+\.$/m);
  });

  it('refuses the declaration of a change that was not made', () => {
    using clone = Clone.begun();
    clone.write(smallContract(), DECLARED);
    const { status, said } = clone.check();
    assert.equal(status, 1);
    assert.match(said, /not found: field-removed at Order\.total/);
  });
});

describe('spec/changes.yaml', () => {
  const wrong: [string, string, RegExp][] = [
    ['no list', 'changes:\n', /must hold a list/],
    ['no reason', DECLARED.replace(/ {4}reason.*\n/, ''), /Entry 1 .* needs a reason/],
    ['an empty reason', DECLARED.replace('It was wrong.', "' '"), /needs a reason/],
    ['an unknown kind', DECLARED.replace('field-removed', 'field-gone'), /unknown kind, field-gone/],
    ['no day', DECLARED.replace('2026-12-01', 'soon'), /not YYYY-MM-DD/],
    ['a field too many', `${DECLARED}    by: someone\n`, /unknown field by/],
  ];
  for (const [what, text, message] of wrong) {
    it(`is refused with ${what}`, () => assert.throws(() => readDeclarations(text), message));
  }
});

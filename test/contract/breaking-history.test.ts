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
  it('finds one that is not committed yet', () => {
    using clone = Clone.begun();
    clone.write(withoutTotal(), NOTHING);
    const { status, said } = clone.check();
    assert.equal(status, 1);
    assert.match(said, /^BREAKING Order\.total: is removed$/m);
    assert.match(said, /\(not committed\)/);
  });

  it('finds one that was committed, whatever came after it', () => {
    using clone = Clone.begun();
    clone.commit(withoutTotal(), NOTHING);
    const [commit] = clone.git('log', '--format=%h', '-1').split('\n');
    clone.commit({ ...withoutTotal(), info: { title: 'Later' } }, '# words\nchanges: []\n');
    const { status, said } = clone.check();
    assert.equal(status, 1);
    assert.match(said, /^BREAKING Order\.total: is removed$/m);
    assert.ok(said.includes(`(${commit})`), said);
  });

  it('lets a declared one through, before and after it is committed', () => {
    using clone = Clone.begun();
    clone.write(withoutTotal(), DECLARED);
    assert.deepEqual([clone.check().status, clone.check().said.includes('BREAKING')], [0, false]);
    clone.commit(withoutTotal(), DECLARED);
    assert.equal(clone.check().status, 0);
    assert.match(clone.check().said, /^1 breaking changes declared, 0 not\.$/m);
  });

  it('lets one through that is declared later', () => {
    using clone = Clone.begun();
    clone.commit(withoutTotal(), NOTHING);
    clone.commit(withoutTotal(), DECLARED);
    assert.equal(clone.check().status, 0);
  });

  it('asks for a declaration of its own when the same thing breaks again', () => {
    using clone = Clone.begun();
    clone.commit(withoutTotal(), DECLARED);
    clone.commit(smallContract(), DECLARED);
    clone.commit(withoutTotal(), DECLARED);
    assert.equal(clone.check().status, 1);
  });

  it('lets additions through, and says how much it looked at', () => {
    using clone = Clone.begun();
    clone.commit(withField(), NOTHING);
    const { status, said } = clone.check();
    assert.equal(status, 0);
    assert.match(said, /^2 steps of the contract since [0-9a-f]+\.$/m);
  });

  it('refuses a declaration of what never happened', () => {
    using clone = Clone.begun();
    clone.write(smallContract(), DECLARED);
    const { status, said } = clone.check();
    assert.equal(status, 1);
    assert.match(said, /did not happen: field-removed at Order\.total/);
  });
});

describe('the file of changes', () => {
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

/** A branch is judged by what it brings to main, the same before and after it is merged. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Json } from '../support/service.ts';
import { Clone, NOTHING } from './breaking/clone.ts';
import { smallContract } from './breaking/contract.ts';

/** The file of changes that declares these: kind and place. */
function declaring(...changes: string[]): string {
  if (changes.length === 0) return NOTHING;
  const entries = changes.map((change) => {
    const [kind, where] = change.split(' ');
    return `  - {date: '2026-12-01', kind: ${kind}, where: ${where}, change: Do., reason: So.}\n`;
  });
  return `changes:\n${entries.join('')}`;
}

/** The small contract, changed so. */
function contractOf(change: (schemas: Json) => void): Json {
  const contract = smallContract();
  change(contract.components.schemas);
  return contract;
}

const shorter = (maxLength: number) =>
  contractOf(({ OrderCreate }) => (OrderCreate.properties.code.maxLength = maxLength));
const TIGHTER = 'bound-tightened OrderCreate.code';
const withoutTotal = contractOf(({ Order }) => delete Order.properties.total);

function assertBeforeAndAfterMerge(clone: Clone, status: number, said: RegExp): void {
  const before = clone.check();
  assert.match(before.said, said);
  assert.equal(before.status, status, before.said);
  clone.git('checkout', '--quiet', 'main');
  clone.git('merge', '--quiet', '--no-ff', 'work', '--message', 'Merge');
  const after = clone.check();
  assert.match(after.said, said);
  assert.equal(after.status, status, after.said);
}

describe('a branch in the check of breaking changes', () => {
  it('is one step if it breaks the same place twice, and may declare both', () => {
    using clone = Clone.begun();
    clone.git('checkout', '--quiet', '-b', 'work');
    clone.commit(shorter(60), declaring(TIGHTER));
    clone.commit(shorter(50), declaring(TIGHTER, TIGHTER));
    assertBeforeAndAfterMerge(clone, 0, /, 0 not\.$/m);
  });

  it('may rename what only it has added', () => {
    using clone = Clone.begun();
    clone.git('checkout', '--quiet', '-b', 'work');
    clone.commit(
      contractOf(({ Order }) => (Order.properties.sum = { type: 'integer' })),
      NOTHING,
    );
    clone.commit(
      contractOf(({ Order }) => (Order.properties.amount = { type: 'integer' })),
      NOTHING,
    );
    assertBeforeAndAfterMerge(clone, 0, /^0 breaking changes declared, 0 not\.$/m);
  });

  it('is compared with main, committed or not', () => {
    using clone = Clone.begun();
    clone.git('checkout', '--quiet', '-b', 'work');
    clone.commit(withoutTotal, NOTHING);
    clone.commit({ ...withoutTotal, info: { title: 'Later' } }, NOTHING);
    assert.match(clone.check().said, /\(not on main\)/);
    assertBeforeAndAfterMerge(clone, 1, /^BREAKING Order\.total: is removed$/m);
  });

  it('is compared with main of the remote', () => {
    using clone = Clone.begun();
    const folder = mkdtempSync(join(tmpdir(), 'centavo-history-'));
    clone.git('clone', '--quiet', clone.folder, folder);
    using copy = new Clone(folder);
    copy.git('checkout', '--quiet', '-b', 'work');
    copy.git('branch', '--quiet', '--delete', '--force', 'main');
    copy.commit(shorter(60), NOTHING);
    copy.commit(smallContract(), NOTHING);
    const { status, said } = copy.check();
    assert.match(said, /^1 steps/m);
    assert.equal(status, 0, said);
  });

  it('is compared with the main that it has merged', () => {
    using clone = Clone.begun();
    clone.git('checkout', '--quiet', '-b', 'work');
    clone.git('checkout', '--quiet', 'main');
    clone.commit(withoutTotal, declaring('field-removed Order.total'));
    clone.git('checkout', '--quiet', 'work');
    clone.git('merge', '--quiet', '--no-ff', 'main', '--message', 'Merge main');
    assert.equal(clone.check().status, 0);
    assert.match(clone.check().said, /^1 breaking changes declared, 0 not\.$/m);
  });
});

describe('a reverted change', () => {
  it('needs no declaration, and may have one', () => {
    using clone = Clone.begun();
    clone.commit(withoutTotal, NOTHING);
    clone.commit(smallContract(), NOTHING);
    const { status, said } = clone.check();
    assert.doesNotMatch(said, /BREAKING/);
    assert.match(said, /^Reverted since, and need no declaration: 1\.$/m);
    assert.equal(status, 0);
    clone.write(smallContract(), declaring('field-removed Order.total'));
    assert.equal(clone.check().status, 0);
    assert.match(clone.check().said, /^1 breaking changes declared, 0 not\.$/m);
  });

  it('is reported if it was reverted in part', () => {
    using clone = Clone.begun();
    clone.commit(shorter(50), NOTHING);
    clone.commit(shorter(60), NOTHING);
    assert.match(clone.check().said, /^BREAKING OrderCreate\.code: maxLength 64 → 50$/m);
  });

  it('is reported if something else replaced it, although only the first step was breaking', () => {
    using clone = Clone.begun();
    clone.commit(withoutTotal, NOTHING);
    clone.commit(
      contractOf(({ Order }) => (Order.properties.total = { type: 'string' })),
      NOTHING,
    );
    const { status, said } = clone.check();
    assert.match(said, /^BREAKING Order\.total: is removed$/m);
    assert.equal(status, 1);
  });
});

/** Where the history is not there to compare with, the check says so; it never passes for want of it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Clone, NOTHING } from './breaking/clone.ts';
import { smallContract } from './breaking/contract.ts';

describe('the check of breaking changes without the history', () => {
  it('says what a shallow clone lacks, and how to get it', () => {
    using clone = Clone.begun();
    const broken = smallContract();
    delete broken.components.schemas.Order.properties.total;
    clone.commit(broken, NOTHING);
    const folder = mkdtempSync(join(tmpdir(), 'centavo-history-'));
    clone.git('clone', '--quiet', '--depth=1', `file://${clone.folder}`, folder);
    using shallow = new Clone(folder);
    assert.match(shallow.check().said, /^NOT COMPARED: .*shallow.*git fetch --unshallow/m);
    const small = smallContract();
    delete small.components.schemas.Order.properties.total;
    delete small.components.schemas.Order.properties.id;
    shallow.write(small, NOTHING);
    assert.match(shallow.check().said, /^BREAKING Order\.id: is removed$/m);
    assert.equal(shallow.check().status, 1);
    shallow.git('checkout', '--quiet', '--', '.');
    shallow.git('fetch', '--quiet', '--unshallow');
    assert.match(shallow.check().said, /^BREAKING Order\.total: is removed$/m);
  });

  it('says what a partial clone cannot get from its remote', () => {
    using clone = Clone.begun();
    const broken = smallContract();
    delete broken.components.schemas.Order.properties.total;
    clone.commit(broken, NOTHING);
    clone.git('config', 'uploadpack.allowFilter', 'true');
    const folder = mkdtempSync(join(tmpdir(), 'centavo-history-'));
    clone.git('clone', '--quiet', '--filter=blob:none', `file://${clone.folder}`, folder);
    using partial = new Clone(folder);
    partial.git('remote', 'set-url', 'origin', 'file:///nowhere');
    const { status, said } = partial.check();
    assert.match(said, /^The earlier contracts cannot be read: fatal: /);
    assert.equal(status, 1);
    partial.git('remote', 'set-url', 'origin', `file://${clone.folder}`);
    assert.match(partial.check().said, /^BREAKING Order\.total: is removed$/m);
  });

  it('says that a folder is not a clone', () => {
    using clone = Clone.begun();
    rmSync(join(clone.folder, '.git'), { recursive: true });
    const { status, said } = clone.check();
    assert.match(said, /not a clone of the repository: fatal: not a git repository/);
    assert.doesNotMatch(said, /Command failed/);
    assert.equal(status, 1);
  });

  it('says that a folder is in another clone', () => {
    using outer = Clone.begun();
    const inner = new Clone(join(outer.folder, 'unpacked'));
    inner.write(smallContract(), NOTHING);
    const { status, said } = inner.check();
    assert.match(said, /not a clone of the repository: it is the folder unpacked\/ of another/);
    assert.equal(status, 1);
  });

  it('says that nothing is committed', () => {
    using clone = Clone.begun();
    rmSync(join(clone.folder, '.git'), { recursive: true });
    clone.git('init', '--quiet', '--initial-branch=main');
    const { status, said } = clone.check();
    assert.match(said, /nothing is committed/);
    assert.doesNotMatch(said, /Command failed/);
    assert.equal(status, 1);
  });

  it('says that the document is not generated', () => {
    using clone = Clone.begun();
    rmSync(join(clone.folder, 'generated/openapi.json'));
    const { status, said } = clone.check();
    assert.match(said, /^There is no generated\/openapi\.json.*make generate/);
    assert.equal(status, 1);
  });
});

it('a commit without the document is not a separate step', () => {
  using clone = Clone.begun();
  clone.git('rm', '--quiet', 'generated/openapi.json');
  clone.git('commit', '--quiet', '--message', 'Without');
  const { said } = clone.check();
  assert.match(said, /There is no generated/);
  const broken = smallContract();
  delete broken.components.schemas.Order.properties.total;
  clone.commit(broken, NOTHING);
  assert.match(clone.check().said, /^BREAKING Order\.total: is removed$/m);
});

it('a hook of git checks the folder that was requested', (t) => {
  using clone = Clone.begun();
  using other = Clone.begun();
  const hook = { GIT_DIR: join(other.folder, '.git'), GIT_INDEX_FILE: join(other.folder, '.git/index') };
  t.after(() => {
    for (const name of Object.keys(hook)) delete process.env[name];
  });
  Object.assign(process.env, hook);
  const broken = smallContract();
  delete broken.components.schemas.Order.properties.total;
  clone.commit(broken, NOTHING);
  assert.equal(other.git('rev-list', '--count', 'HEAD').trim(), '1');
  const { status, said } = clone.check(hook);
  assert.match(said, /^2 steps/m);
  assert.match(said, /^BREAKING Order\.total: is removed$/m);
  assert.equal(status, 1);
});

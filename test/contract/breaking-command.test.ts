import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';

const root = join(import.meta.dirname, '../..');

it('npm run breaking reads the current spec/, even if generated/ is stale', () => {
  const folder = mkdtempSync(join(tmpdir(), 'centavo-breaking-'));
  try {
    execFileSync('git', ['clone', '--quiet', root, folder], { stdio: 'ignore' });
    copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const schema = join(folder, 'spec/schemas/customers/CustomerCreate.yaml');
    const before = readFileSync(schema, 'utf8');
    const after = before.replace('maxLength: 191', 'maxLength: 100');
    assert.notEqual(after, before);
    writeFileSync(schema, after);

    const { status, stdout } = spawnSync('npm', ['run', '--silent', 'breaking'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.match(stdout, /^BREAKING CustomerCreate\.name: maxLength 191 → 100$/m);
    assert.equal(status, 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');

test('the guide of errors names every code that the service can answer', () => {
  const guide = readFileSync(join(ROOT, 'web/guides/20-errors.md'), 'utf8');
  const sources = globSync(['services/**/*.ts', 'handlers/**/*.ts'], { cwd: ROOT });
  const codes = new Set(
    sources
      .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bcode: '([a-z_]+)'/g)])
      .map(([, code]) => code!),
  );
  assert.ok(codes.size >= 20, `only ${codes.size} codes were found`);
  assert.deepEqual(
    [...codes].filter((code) => !guide.includes(`\`${code}\``)),
    [],
  );
});

/**
 * What production installs is what its programs import: nothing is missing there, and nothing is installed without
 * need.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
/** The programs that run in production. */
const PROGRAMS = ['main.ts', 'scripts/acquirer.ts', 'scripts/admin.ts', 'scripts/migrate.ts'];

/** The packages that the programs import, directly or through files of the project. */
async function importedPackages(): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outdir: 'nowhere',
    write: false,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const names = imports.filter(({ external, path }) => external && !isBuiltin(path)).map(({ path }) => path);
  return [...new Set(names.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)![0]))].sort();
}

test('the dependencies are the packages that the production programs import', async () => {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  assert.deepEqual(Object.keys(dependencies).sort(), await importedPackages());
});

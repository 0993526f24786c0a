/**
 * Builds the npm package of the card encryption library in `web/card-encryption/dist/`, which `npm pack` then includes.
 *
 * Usage: npm run build:web [-- --out <folder>]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { browserLibrary } from '../web/browser-library.ts';

const LIBRARY = join(import.meta.dirname, '../web/card-encryption');
const { values } = parseArgs({ options: { out: { type: 'string', default: join(LIBRARY, 'dist') } } });
const out = values.out;

mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'index.js'), await browserLibrary('module'));
writeFileSync(join(out, 'centavo.js'), await browserLibrary('classic'));
writeTypes();
process.stdout.write(`${out}: ${readdirSync(out).sort().join(' ')}\n`);

/**
 * Writes type declarations. They import each other as `.ts`, which a package without sources cannot: it becomes `.js`.
 */
function writeTypes(): void {
  const options = ['--declaration', '--emitDeclarationOnly', '--allowImportingTsExtensions', '--strict'];
  const platform = ['--target', 'es2024', '--module', 'nodenext', '--types', 'node', '--skipLibCheck'];
  const tsc = join(import.meta.dirname, '../node_modules/typescript/bin/tsc');
  const args = [tsc, join(LIBRARY, 'index.ts'), ...options, ...platform, '--outDir', out];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  for (const name of readdirSync(out).filter((file) => file.endsWith('.d.ts'))) {
    const path = join(out, name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
}

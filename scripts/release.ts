/**
 * Packs a release for production: the programs, the contract and the built docs, without tests, tools and packages.
 * With the file RELEASE in it, make installs production packages only and builds nothing.
 *
 * Usage: make release [OUT=<folder>]     writes <folder>/centavo-<version>.tar.gz; the folder is release/ by default
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');
/** Folders and files of the repository that run in production. */
const PACKED = [
  ...[
    'README.md',
    'CHANGELOG.md',
    'Makefile',
    '.npmrc',
    'package.json',
    'package-lock.json',
    'main.ts',
    'config.ts',
  ],
  ...['composition', 'db', 'domain', 'gateway', 'generated', 'handlers', 'jobs', 'services', 'web'],
  ...['scripts/acquirer.ts', 'scripts/admin.ts', 'scripts/admin', 'scripts/migrate.ts'],
];
/** Built by `make build`, and not in the repository. */
const BUILT = 'web/dist';

const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'release') } } });
const name = `centavo-${manifest.version}`;
const archive = join(values.out, `${name}.tar.gz`);
const staging = await mkdtemp(join(tmpdir(), 'centavo-release-'));
try {
  const folder = join(staging, name);
  for (const file of [
    ...git('ls-files', '-z', ...PACKED)
      .split('\0')
      .filter(Boolean),
    BUILT,
  ]) {
    await cp(join(ROOT, file), join(folder, file), { recursive: true });
  }
  await writeFile(join(folder, 'RELEASE'), `${manifest.version} ${revision()}\n`);
  await mkdir(values.out, { recursive: true });
  execFileSync('tar', ['-czf', archive, '-C', staging, name]);
} finally {
  await rm(staging, { recursive: true });
}
process.stdout.write(`${archive}\n`);

/** The commit, with `-dirty` when files differ from it. */
function revision(): string {
  return git('describe', '--always', '--dirty', '--abbrev=12').trim();
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
}

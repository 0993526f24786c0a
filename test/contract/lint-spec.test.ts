import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ANSWERS } from './planted/answers.ts';
import { EXAMPLES } from './planted/examples.ts';
import { OPERATIONS } from './planted/operations.ts';
import { SCHEMAS } from './planted/schemas.ts';

const root = join(import.meta.dirname, '../..');

/** One of each kind; they are planted all at once, so none may hide another. */
const PLANTED_MISTAKES = [...OPERATIONS, ...ANSWERS, ...SCHEMAS, ...EXAMPLES];

interface LintRun {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

function lintSpec(spec: string): Promise<LintRun> {
  const child = spawn(process.execPath, [join(root, 'scripts/lint-spec.ts'), '--spec', spec], { cwd: root });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      printed += chunk;
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ exitCode: code ?? -1, lines: printed.trimEnd().split('\n') }));
  });
}

describe('npm run lint:spec', () => {
  let folder: string;
  let clean: LintRun;
  let planted: LintRun;
  let broken: LintRun;
  let unreadable: LintRun;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'centavo-lint-'));
    for (const copy of ['planted', 'broken', 'unreadable'])
      await cp(join(root, 'spec'), join(folder, copy), { recursive: true });
    for (const { file, text, by } of PLANTED_MISTAKES) await replace(join(folder, 'planted', file), text, by);
    await replace(
      join(folder, 'broken/schemas/customers/Customer.yaml'),
      './LocalTimestamp.yaml',
      './Lost.yaml',
    );
    await replace(join(folder, 'broken/schemas/account/MerchantCode.yaml'), '^[0-9]{4}$', '^[0-9{4}$');
    await replace(join(folder, 'unreadable/openapi.yaml'), /$/, '\nx-planted: [without an end');
    const copies = ['planted', 'broken', 'unreadable'].map((copy) => join(folder, copy));
    const runs = await Promise.all([join(root, 'spec'), ...copies].map(lintSpec));
    [clean, planted, broken, unreadable] = runs as [LintRun, LintRun, LintRun, LintRun];
  });

  after(() => rm(folder, { recursive: true }));

  it('accepts the contract', () => {
    assert.deepEqual(clean, { exitCode: 0, lines: ['The contract is clean.'] });
  });

  it('fails on mistakes', () => {
    assert.equal(planted.exitCode, 1);
    assert.equal(broken.exitCode, 1);
  });

  for (const { what, file, rule, where = file, message = /./ } of PLANTED_MISTAKES) {
    it(`finds ${what} (${rule})`, () => {
      const found = planted.lines.filter((line) => line.includes(where) && line.includes(` ${rule}: `));
      assert.ok(
        found.some((line) => message.test(line)),
        `not reported; the linter said:\n${planted.lines.join('\n')}`,
      );
    });
  }

  it('reports the position of a syntax error in a YAML file', () => {
    assert.equal(unreadable.exitCode, 1);
    const said = unreadable.lines.join('\n');
    assert.match(said, /^Redocly cannot read the contract\..*openapi\.yaml/s);
    assert.doesNotMatch(said, /^ +at .*lint-spec\.ts/m);
  });

  it('finds a reference without a target', () => {
    assert.ok(
      broken.lines.some(
        (line) => line.startsWith('schemas/customers/Customer.yaml') && line.includes('no-unresolved-refs'),
      ),
    );
  });

  it('finds a schema that does not compile', () => {
    assert.ok(broken.lines.some((line) => line.startsWith('schema MerchantCode schema-compiles: ')));
  });
});

/** Replaces the first occurrence; a text that is not there would plant nothing and prove nothing. */
async function replace(path: string, text: string | RegExp, by: string): Promise<void> {
  const before = await readFile(path, 'utf8');
  const after = before.replace(text, by);
  assert.notEqual(after, before, `${path} holds no ${text}`);
  await writeFile(path, after);
}

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');
const MAX_BYTES = 15_000;

test('the npm package runs and type-checks in an empty project', async () => {
  const project = await mkdtemp(join(tmpdir(), 'centavo-shop-'));
  try {
    const home = join(project, 'node_modules/centavo-card-encryption');
    await mkdir(home, { recursive: true });
    await cp(join(ROOT, 'web/card-encryption/package.json'), join(home, 'package.json'));
    execFileSync(process.execPath, [join(ROOT, 'scripts/build-web.ts'), '--out', join(home, 'dist')]);
    for (const file of ['index.js', 'centavo.js']) {
      const { length } = await readFile(join(home, 'dist', file));
      assert.ok(length < MAX_BYTES, `${file} has ${length} bytes`);
    }

    const shop = `import { type Card, CardError, type CardHolder, encryptCard } from 'centavo-card-encryption';
const card: Card = { number: '4242424242424242', holder: 'ANA', expMonth: 8, expYear: '39', securityCode: '123' };
const cardHolder: CardHolder = { name: 'Ana', identification: { type: 'CPF', number: '52998224725' } };
const whole: Card = { ...card, brand: 'visa', cardHolder };
// @ts-expect-error: no such brand
const misspelt: Card = { ...card, brand: 'vista' };
const encrypted: string = await encryptCard(card, 'x'.repeat(32));
const problem = await encryptCard({ ...card, number: '1' }, 'x'.repeat(32)).catch((error: unknown) => error);
if (!(problem instanceof CardError)) throw problem;
console.log(encrypted.length, problem.problems[0]!.field, misspelt.brand, (await encryptCard(whole, 'x'.repeat(32))).length);\n`;
    await writeFile(join(project, 'shop.ts'), shop);
    await writeFile(join(project, 'package.json'), '{"type": "module"}');
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      lib: ['es2022', 'dom'],
      types: [],
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const checked = spawnSync(process.execPath, [tsc], { cwd: project, encoding: 'utf8' });
    assert.equal(checked.stdout, '');
    const printed = execFileSync(process.execPath, ['shop.ts'], { cwd: project, encoding: 'utf8' });
    assert.equal(printed, '152 number vista 280\n');
  } finally {
    await rm(project, { recursive: true });
  }
});

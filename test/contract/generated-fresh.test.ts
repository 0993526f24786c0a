import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MAGIC_VALUES } from '../../gateway/simulator/magic-values.ts';

const root = join(import.meta.dirname, '../..');
const committed = join(root, 'generated');

describe('generated/', () => {
  let fresh: string;

  before(async () => {
    fresh = await mkdtemp(join(tmpdir(), 'centavo-generated-'));
    execFileSync(process.execPath, [join(root, 'scripts/generate.ts'), '--out', fresh]);
  });

  after(() => rm(fresh, { recursive: true }));

  it('has exactly the files of the generator', async () => {
    assert.deepEqual((await readdir(committed)).sort(), (await readdir(fresh)).sort());
  });

  for (const file of ['openapi.json', 'openapi.yaml', 'openapi-clients.json', 'types.ts']) {
    it(`has a fresh ${file} (else run: npm run generate)`, async () => {
      const [now, then] = await Promise.all([fresh, committed].map((folder) => readFile(join(folder, file))));
      assert.ok(now!.equals(then!), `generated/${file} does not follow from spec/.`);
    });
  }

  it('lists every magic value of the simulated acquirer', async () => {
    const document = await readFile(join(committed, 'openapi.json'), 'utf8');
    const untold = MAGIC_VALUES.filter(
      ({ value, description }) => !document.includes(`${value}\``) || !document.includes(description),
    );
    assert.deepEqual(untold, []);
  });
});

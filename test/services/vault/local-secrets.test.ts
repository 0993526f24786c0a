import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { localSecrets } from '../../../services/vault/local-secrets.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'centavo-secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('many simultaneous starts create one set, which the next start finds and only its owner can read', async () => {
  const sets = await Promise.all(Array.from({ length: 10 }, () => localSecrets(dataDir)));
  assert.equal(new Set(sets.map(({ keyPepper }) => keyPepper)).size, 1);
  assert.deepEqual(await localSecrets(dataDir), sets[0]);
  assert.deepEqual(readdirSync(dataDir), ['secrets.json']);
  assert.equal(statSync(join(dataDir, 'secrets.json')).mode & 0o777, 0o600);
});

test('the file is complete or absent, whenever its writer is killed', async () => {
  const path = join(dataDir, 'secrets.json');
  for (let i = 0; i < 50; i += 1) {
    let isMade = false;
    const made = localSecrets(dataDir).finally(() => {
      isMade = true;
    });
    while (!isMade) {
      if (existsSync(path)) JSON.parse(readFileSync(path, 'utf8'));
      await turn();
    }
    await made;
    await rm(path);
  }
});

test('a malformed file is reported by its name', async () => {
  const path = join(dataDir, 'secrets.json');
  await writeFile(path, '');
  await assert.rejects(localSecrets(dataDir), { message: `${path} cannot be read.` });
});

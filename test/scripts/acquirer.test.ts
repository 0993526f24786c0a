import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runProgram } from './support/admin.ts';

const PROGRAM = join(import.meta.dirname, '../../scripts/acquirer.ts');
const ACQUIRER_SECRET = 'a secret shared with the acquirer';

/** That it runs is proven with the README's chapter about production. */
const refusal = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const { status, stdout, stderr } = await runProgram(process.execPath, [PROGRAM], env);
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  return stderr;
};

test('the simulated acquirer reports missing variables in one sentence', async () => {
  assert.equal(await refusal({}), 'ACQUIRER_SECRET must be set.\n');
  for (const ACQUIRER_URL of ['https://acquirer.example', 'http://10.0.0.1:9500', 'http://127.0.0.1']) {
    assert.equal(
      await refusal({ ACQUIRER_SECRET, ACQUIRER_URL }),
      'ACQUIRER_URL must be such as http://127.0.0.1:9500 for the simulated acquirer.\n',
    );
  }
});

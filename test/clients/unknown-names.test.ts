import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../scripts/clients/languages.ts';
import { faultOfNames } from '../../scripts/clients/unknown-names.ts';

const generators = async () => new Set(['go', 'kotlin', 'python']);

test('a name of ours is taken without a look at the generators', async () => {
  const names = Object.keys(LANGUAGES);
  assert.equal(await faultOfNames(names, () => assert.fail('They were asked for.')), null);
});

test('a generator’s name is taken', async () => {
  assert.equal(await faultOfNames(['go', 'kotlin'], generators), null);
});

test('any other is answered with one sentence: the names that are ours, and how to see all', async () => {
  assert.equal(
    await faultOfNames(['go', 'Go', 'kotlin', '../x'], generators),
    'There is no language or generator named Go, ../x. The languages are typescript, python, java, go, rust, php, ' +
      'csharp; `npx --no openapi-generator-cli list` prints all generators.',
  );
});

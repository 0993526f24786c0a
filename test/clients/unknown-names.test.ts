import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../scripts/clients/languages.ts';
import { faultOfNames } from '../../scripts/clients/unknown-names.ts';

const generators = async () => new Set(['go', 'kotlin', 'python']);

test('the name of one of our languages is accepted without loading the generators', async () => {
  const names = Object.keys(LANGUAGES);
  assert.equal(await faultOfNames(names, () => assert.fail('They were asked for.')), null);
});

test('the name of a generator is accepted', async () => {
  assert.equal(await faultOfNames(['go', 'kotlin'], generators), null);
});

test('any other name is refused with a sentence: our languages, and how to list all generators', async () => {
  assert.equal(
    await faultOfNames(['go', 'Go', 'kotlin', '../x'], generators),
    'There is no language or generator named Go, ../x. The languages are typescript, python, java, go, rust, php, ' +
      'csharp; `npx --no openapi-generator-cli list` prints all generators.',
  );
});

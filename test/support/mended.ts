import assert from 'node:assert/strict';
import { languageOf } from '../../scripts/clients/languages.ts';
import { mendedText } from '../../scripts/clients/mends.ts';

/** What the generator writes of a file, after the mends of its language. */
export function mended(name: string, generated: string): string {
  const { mends } = languageOf(name);
  assert.notEqual(mends.length, 0, `${name} has no mend`);
  return mends.reduce(mendedText, generated);
}

import assert from 'node:assert/strict';
import { languageOf } from '../../../scripts/clients/languages.ts';
import { patchedText } from '../../../scripts/clients/patch.ts';

/** A generated file after the patches of its language. */
export function patched(name: string, generated: string): string {
  const { patches } = languageOf(name);
  assert.notEqual(patches.length, 0, `${name} has no patches`);
  return patches.reduce(patchedText, generated);
}

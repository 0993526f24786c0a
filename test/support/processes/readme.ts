import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const README = join(import.meta.dirname, '../../../README.md');

/** The code blocks of a language in a chapter. */
export async function blocksOf(chapter: string, language: string): Promise<string[]> {
  const readme = await readFile(README, 'utf8');
  const text = readme.split(/^## /m).find((part) => part.startsWith(`${chapter}\n`));
  assert.ok(text !== undefined, `the README has the chapter ${chapter}`);
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, block]) => block!);
}

/** Replaces placeholders of the README by values. Fails when a placeholder is not there. */
export function filledIn(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [placeholder, value]) => {
    assert.ok(filled.includes(placeholder), `The README has no ${placeholder}.`);
    return filled.replaceAll(placeholder, value);
  }, text);
}

import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runWrapper } from './generator.ts';
import { languageOf } from './languages.ts';
import { type Mend, mendedText } from './mends.ts';
import { CLIENT_DOCUMENT, CLIENTS } from './places.ts';

const STAMP = '.made-from';
/** The generator's own tests are empty; its pages are what the client's README links to. */
const NO_TESTS = 'apiTests=false,modelTests=false';

export interface GeneratedClient {
  readonly folder: string;
  /** False where it was there already, made from the same contract in the same way. */
  readonly isNew: boolean;
}

/** Makes the client of a language, or of a generator by its name, in `clients/<name>`. */
export async function generateClient(name: string, version: string): Promise<GeneratedClient> {
  const language = languageOf(name);
  const folder = join(CLIENTS, name);
  const how = [
    version,
    await readFile(CLIENT_DOCUMENT, 'utf8'),
    NO_TESTS,
    language.generator,
    language.options,
    language.mends.map(({ files, wrong, right }) => [files, String(wrong), String(right)]),
  ];
  const stamp = createHash('sha256').update(JSON.stringify(how)).digest('hex');
  const made = await readFile(join(folder, STAMP), 'utf8').catch(() => '');
  if (made === stamp) return { folder, isNew: false };

  await rm(folder, { recursive: true, force: true });
  const options = Object.entries(language.options).map(([option, value]) => `${option}=${value}`);
  const output = await runWrapper([
    'generate',
    ...['--input-spec', CLIENT_DOCUMENT],
    ...['--generator-name', language.generator],
    ...['--output', folder],
    ...['--git-user-id', 'centavo', '--git-repo-id', `centavo-${name}`],
    ...['--global-property', NO_TESTS],
    ...['--additional-properties', options.join(',')],
  ]);
  refuseLoss(output);
  for (const mend of language.mends) await mendFiles(folder, mend);
  await writeFile(join(folder, STAMP), stamp);
  return { folder, isNew: true };
}

/** Two classes of one name: the second was written over the first. */
export function refuseLoss(output: string): void {
  const lost = output.split('\n').filter((line) => /duplicate file path/i.test(line));
  if (lost.length > 0) throw new Error(`The client lacks a class.\n${lost.join('\n')}`);
}

/** Throws where nothing was wrong: then the generator has learnt it, and the mend is to go. */
async function mendFiles(folder: string, mend: Mend): Promise<void> {
  let mended = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(mend.files)) continue;
    const text = await readFile(join(folder, name), 'utf8');
    const better = mendedText(text, mend);
    if (better === text) continue;
    await writeFile(join(folder, name), better);
    mended += 1;
  }
  if (mended === 0) throw new Error(`No file ${mend.files} needed its mend: ${mend.wrong.source}`);
}

import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseLoss, runWrapper } from './generator.ts';
import { languageOf } from './languages.ts';
import { type Patch, patchedText } from './patch.ts';
import { CLIENT_DOCUMENT, CLIENTS } from './places.ts';

const STAMP = '.made-from';
/** The generated tests are empty. The generated pages stay, as the client's README links to them. */
const NO_TESTS = 'apiTests=false,modelTests=false';

export interface GeneratedClient {
  readonly folder: string;
  /** False when the client already existed, generated from the same contract with the same options. */
  readonly isNew: boolean;
}

/** Generates the client of a language, or of a generator by its name, into `clients/<name>`. */
export async function generateClient(name: string, version: string): Promise<GeneratedClient> {
  const language = languageOf(name);
  const folder = join(CLIENTS, name);
  const how = [
    version,
    await readFile(CLIENT_DOCUMENT, 'utf8'),
    NO_TESTS,
    language.generator,
    language.options,
    language.parameterNames,
    language.patches.map(({ files, wrong, right }) => [files, String(wrong), String(right)]),
  ];
  const stamp = createHash('sha256').update(JSON.stringify(how)).digest('hex');
  const made = await readFile(join(folder, STAMP), 'utf8').catch(() => '');
  if (made === stamp) return { folder, isNew: false };

  await rm(folder, { recursive: true, force: true });
  const options = pairs(language.options);
  const names = pairs(language.parameterNames ?? {});
  const output = await runWrapper([
    'generate',
    ...['--input-spec', CLIENT_DOCUMENT],
    ...['--generator-name', language.generator],
    ...['--output', folder],
    ...['--git-user-id', 'centavo', '--git-repo-id', `centavo-${name}`],
    ...['--global-property', NO_TESTS],
    ...['--additional-properties', options],
    ...(names === '' ? [] : ['--parameter-name-mappings', names]),
  ]);
  refuseLoss(output);
  for (const patch of language.patches) await patchFiles(folder, patch);
  await writeFile(join(folder, STAMP), stamp);
  return { folder, isNew: true };
}

/** `a=1,b=2` */
function pairs(values: Readonly<Record<string, string | boolean>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
}

/**
 * Patches the files of a client. Throws when no file needed it: the generator is fixed, and the patch can be removed.
 */
async function patchFiles(folder: string, patch: Patch): Promise<void> {
  let patched = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(patch.files)) continue;
    const text = await readFile(join(folder, name), 'utf8');
    const better = patchedText(text, patch);
    if (better === text) continue;
    await writeFile(join(folder, name), better);
    patched += 1;
  }
  if (patched === 0) throw new Error(`No file ${patch.files} needed its patch: ${patch.wrong.source}`);
}

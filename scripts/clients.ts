/**
 * Generates clients of the API from the contract into `clients/<language>`.
 *
 * Usage: make clients [LANG=<language or generator>]
 *        node scripts/clients.ts [<language or generator> …]     default: every language of languages.ts
 */
import { relative } from 'node:path';
import { generateClient } from './clients/generate.ts';
import { fetchGenerator } from './clients/generator.ts';
import { LANGUAGES } from './clients/languages.ts';
import { ROOT } from './clients/places.ts';
import { faultOfNames, namesOfGenerators } from './clients/unknown-names.ts';

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(LANGUAGES);

try {
  const version = await fetchGenerator();
  const fault = await faultOfNames(names, namesOfGenerators);
  if (fault !== null) throw new Error(fault);
  for (const name of names) {
    const { folder, isNew } = await generateClient(name, version);
    console.log(`✔ ${name}: ${relative(ROOT, folder)}${isNew ? '' : ' (unchanged)'}`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

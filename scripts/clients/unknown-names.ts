import { runWrapper } from './generator.ts';
import { LANGUAGES } from './languages.ts';

/** Prints the names of all generators. */
const LIST_GENERATORS = 'npx --no openapi-generator-cli list';

/** One sentence about names that are neither a language nor a generator; null when there are none. */
export async function faultOfNames(
  names: readonly string[],
  generators: () => Promise<ReadonlySet<string>>,
): Promise<string | null> {
  const ours = Object.keys(LANGUAGES);
  const others = names.filter((name) => !ours.includes(name));
  if (others.length === 0) return null;
  const known = await generators();
  const unknown = others.filter((name) => !known.has(name));
  if (unknown.length === 0) return null;
  return `There is no language or generator named ${unknown.join(', ')}. The languages are ${ours.join(', ')}; \`${LIST_GENERATORS}\` prints all generators.`;
}

/** The names of all generators of the pinned openapi-generator. */
export async function namesOfGenerators(): Promise<ReadonlySet<string>> {
  const output = await runWrapper(['list', '--short', '--include', 'all']);
  return new Set(output.split(/[\s,]+/));
}

import { runWrapper } from './generator.ts';
import { LANGUAGES } from './languages.ts';

/** Shows every name that is taken beside ours. */
const SEE_ALL = 'npx --no openapi-generator-cli list';

/** One sentence on the names that are of no language and no generator; null where there are none. */
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
  return `No language or generator is called ${unknown.join(', ')}; ours are ${ours.join(', ')}, and \`${SEE_ALL}\` shows every other.`;
}

/** The names of all generators that the pinned one knows. */
export async function namesOfGenerators(): Promise<ReadonlySet<string>> {
  const output = await runWrapper(['list', '--short', '--include', 'all']);
  return new Set(output.split(/[\s,]+/));
}

import { fileURLToPath } from 'node:url';

const SOURCE = new URL('./card-encryption/index.ts', import.meta.url);

/** Browsers of some five years ago: all that have WebCrypto, `replaceAll` and class fields. */
const TARGET = 'es2022';

/** The classic script sets the global `Centavo`; the module is for bundlers. */
export type LibraryFormat = 'classic' | 'module';

/** The card encryption library as one minified file. It takes some 50 ms, so it is made when first asked for. */
export async function browserLibrary(format: LibraryFormat): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(SOURCE)],
    bundle: true,
    minify: true,
    write: false,
    target: TARGET,
    // Names of classes are minified, but what a shop sees of an error is its `name`.
    ...(format === 'classic' ? { format: 'iife', globalName: 'Centavo' } : { format: 'esm' }),
  });
  return outputFiles[0]!.text;
}

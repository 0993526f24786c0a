import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

/** Browsers of some five years ago: all that have WebCrypto, `replaceAll` and class fields. */
const TARGET = 'es2022';

/** A style sheet without spaces and comments. */
export function minifiedStyle(source: URL): Promise<string> {
  return bundle(source, {});
}

/** Bundles a program for browsers with all its imports into one minified file. */
export async function bundle(source: URL, format: BuildOptions): Promise<string> {
  const { outputFiles = [] } = await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    minify: true,
    write: false,
    target: TARGET,
    // The card element asks a module for its address and a classic script in another way.
    logOverride: { 'empty-import-meta': 'silent' },
    ...format,
  });
  return outputFiles[0]!.text;
}

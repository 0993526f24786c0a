import { bundle } from './bundle.ts';

const SOURCE = new URL('./card-encryption/index.ts', import.meta.url);

/** The classic script sets the global `Centavo`; the module is for bundlers. */
export type LibraryFormat = 'classic' | 'module';

/** The card encryption library as one minified file. */
export function browserLibrary(format: LibraryFormat): Promise<string> {
  // Names of classes are minified, but what a shop sees of an error is its `name`.
  return bundle(SOURCE, format === 'classic' ? { format: 'iife', globalName: 'Centavo' } : { format: 'esm' });
}

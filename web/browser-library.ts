import { bundle } from './bundle.ts';

const SOURCE = new URL('./card-encryption/browser.js', import.meta.url);

/** The classic script sets the global `Centavo`; the module is for bundlers. */
export type LibraryFormat = 'classic' | 'module';

/** The card encryption library as one minified file. */
export function browserLibrary(format: LibraryFormat): Promise<string> {
  return bundle(SOURCE, format === 'classic' ? { format: 'iife', globalName: 'Centavo' } : { format: 'esm' });
}

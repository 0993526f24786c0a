import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The folder that `make build` writes: the docs, and the card encryption library. */
export const DIST = new URL('./dist/', import.meta.url);
/** Lists the files of the folder. It is written last, so it exists only if all files do. */
export const MANIFEST = 'manifest.json';
/** The path of the page that answers every unknown path under `/docs`, with 404. */
export const NOT_FOUND = '/docs/404';

/** One file that is served as it was built. */
export interface SiteFile {
  /** The path under which it is served. */
  readonly path: string;
  /** Its name in the folder. */
  readonly file: string;
  /** Media type, with its charset. */
  readonly type: string;
  readonly cacheControl: string;
  /** The environment that serves it. Both do if it is absent. */
  readonly environment?: 'sandbox' | 'production';
}

export interface BuiltSite {
  readonly files: readonly SiteFile[];
  /** Reads the content of a file. */
  load(file: SiteFile): Promise<Buffer>;
}

/** Reads the list of built files. Throws an error with the command to run if nothing was built. */
export function readBuiltSite(folder: URL = DIST): BuiltSite {
  let manifest: string;
  try {
    manifest = readFileSync(new URL(MANIFEST, folder), 'utf8');
  } catch (cause) {
    throw new Error('The docs and the card library are not built (web/dist is missing): run make build.', {
      cause,
    });
  }
  const { files } = JSON.parse(manifest) as { files: readonly SiteFile[] };
  return { files, load: ({ file }) => readFile(new URL(file, folder)) };
}

import { type RequestHandler, Router } from 'express';
import { browserLibrary } from './browser-library.ts';
import { staticAsset } from './static-asset.ts';

/** Shops load the library from their own pages, so that any page may read it; it changes with a release only. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
};

/** The card encryption library: `/lib/centavo.js`, a classic script, and `/lib/centavo.mjs`, a module. */
export function libraryPages(): RequestHandler {
  const router = Router();
  const files = [
    ['/lib/centavo.js', 'classic'],
    ['/lib/centavo.mjs', 'module'],
  ] as const;
  for (const [path, format] of files) {
    const load = () => browserLibrary(format);
    const type = 'text/javascript; charset=utf-8';
    router.get(path, staticAsset({ type, cacheControl: 'public, max-age=3600', headers: HEADERS, load }));
  }
  return router;
}

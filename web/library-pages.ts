import { type RequestHandler, Router } from 'express';
import type { BuiltSite } from './built-site.ts';
import { staticAsset } from './static-asset.ts';

/** Shops load the library from their own pages, so every origin can load it. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
};

/** Serves the card encryption library: `/lib/centavo.js`, a classic script, and `/lib/centavo.mjs`, a module. */
export function libraryPages(site: BuiltSite): RequestHandler {
  const router = Router();
  for (const file of site.files.filter(({ path }) => path.startsWith('/lib/'))) {
    router.get(file.path, staticAsset({ ...file, headers: HEADERS, load: () => site.load(file) }));
  }
  return router;
}

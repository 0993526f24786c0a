import { type RequestHandler, Router } from 'express';
import type { BuiltSite } from './built-site.ts';
import { staticAsset } from './static-asset.ts';

/** Shops load the library from their own pages, so every origin can load it. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
};

/** Every shop can show the form of a card in a frame. It connects to nothing, and loads only what is ours. */
const FRAME_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors *",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const FRAMES = '/lib/card-frame/';

/**
 * Serves the card encryption library: `/lib/centavo.js`, a classic script, and `/lib/centavo.mjs`, a module; and the page
 * in the frame of its element `<centavo-card>`.
 */
export function libraryPages(site: BuiltSite): RequestHandler {
  const router = Router();
  router.use(FRAMES, (_request, response, next) => {
    response.removeHeader('X-Frame-Options');
    next();
  });
  for (const file of site.files.filter(({ path }) => path.startsWith('/lib/'))) {
    const headers = file.path.startsWith(FRAMES) ? FRAME_HEADERS : HEADERS;
    router.get(file.path, staticAsset({ ...file, headers, load: () => site.load(file) }));
  }
  return router;
}

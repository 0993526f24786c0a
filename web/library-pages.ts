import { type Request, type RequestHandler, Router } from 'express';
import type { BuiltSite } from './built-site.ts';
import { staticAsset } from './static-asset.ts';

/** Shops load the library from their own pages, so every origin can load it. */
const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Timing-Allow-Origin': '*',
};

/** Any site can frame the card form. The form loads only files of this service. */
const FRAME_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors *",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const FRAMES = '/lib/card-frame/';

/** What the frame asks about a public key that the shop's page gives it. */
export interface AskedKey {
  readonly n: string;
  readonly e: string;
  readonly kid: string;
}

/**
 * Serves the card encryption library: `/lib/centavo.js`, a classic script, and `/lib/centavo.mjs`, a module; the page
 * in the frame of its element `<centavo-card>`; and `/lib/card-key`, which tells the frame whether a key is ours.
 */
export function libraryPages(site: BuiltSite, isOwnKey: (key: AskedKey) => Promise<boolean>): RequestHandler {
  const router = Router();
  router.use(FRAMES, (_request, response, next) => {
    response.removeHeader('X-Frame-Options');
    next();
  });
  for (const file of site.files.filter(({ path }) => path.startsWith('/lib/'))) {
    const headers = file.path.startsWith(FRAMES) ? FRAME_HEADERS : HEADERS;
    router.get(file.path, staticAsset({ ...file, headers, load: () => site.load(file) }));
  }
  router.get('/lib/card-key', async (request, response) => {
    const key = askedKey(request);
    response.setHeader('Cache-Control', 'no-store');
    response.status(key !== null && (await isOwnKey(key)) ? 204 : 404).end();
  });
  return router;
}

/** Null if a part is missing or there are several. */
function askedKey({ query: { n, e, kid } }: Request): AskedKey | null {
  if (typeof n !== 'string' || typeof e !== 'string' || typeof kid !== 'string') return null;
  return n === '' || e === '' ? null : { n, e, kid };
}

import { type RequestHandler, Router } from 'express';
import type { Deps } from '../services/deps.ts';
import { findLogo } from '../services/links/find-logo.ts';

/** Serves `/logos/{hash}?v={version}`, the `logo_url` of a checkout page, to the browsers of buyers. */
export function logoPages(deps: Deps): RequestHandler {
  const router = Router();
  router.get('/logos/:hash', async (request, response) => {
    const { v } = request.query;
    const logo = typeof v === 'string' ? await findLogo(deps, request.params.hash, v) : undefined;
    if (logo === undefined) {
      response.status(404).type('text/plain').send('Not found\n');
      return;
    }
    // Another logo has another version.
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.type(logo.type).send(logo.bytes);
  });
  return router;
}

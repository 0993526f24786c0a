import { type RequestHandler, Router } from 'express';
import type { DemoMerchant } from '../services/sandbox/demo-merchant.ts';
import { type BuiltSite, NOT_FOUND } from './built-site.ts';
import { demoScript } from './demo-script.ts';
import { referenceScript } from './reference-script.ts';
import { staticAsset } from './static-asset.ts';

export interface DocsOptions {
  readonly isSandbox: boolean;
  /** Returns the sandbox's demo merchant, whose keys the pages use; null if there is none. */
  readonly demo: () => DemoMerchant | null;
}

/**
 * The content security policy of the docs; answers of the API have another one. Nothing is loaded from another host.
 * The renderer of the reference creates style elements and attributes, and shows images from `data:` and `blob:`
 * addresses.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  // The demo's card element.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SCRIPT = 'text/javascript; charset=utf-8';

/** Serves everything under `/docs`. The pages are built in advance, so no request has to render one. */
export function docsPages(site: BuiltSite, options: DocsOptions): RequestHandler {
  const router = Router();
  router.use('/docs', (_request, response, next) => {
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    // Some scripts have the demo key. Without this header, pages of other origins could load them.
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    next();
  });
  router.get('/', (_request, response) => response.redirect('/docs'));
  router.get('/docs/guides', (_request, response) => response.redirect('/docs/guides/quick-start'));
  addScripts(router, options);
  router.use('/docs', builtPages(site, options.isSandbox ? 'sandbox' : 'production'));
  return router;
}

/** These scripts have the demo key, which is created after the start, so they are rendered for each request. */
function addScripts(router: Router, { isSandbox, demo }: DocsOptions): void {
  router.get('/docs/reference.js', (_request, response) => {
    response.type(SCRIPT).send(referenceScript(demo()?.apiKey ?? null));
  });
  router.get('/docs/demo.js', (_request, response) => {
    response.type(SCRIPT).send(demoScript(isSandbox, demo()));
  });
}

/** Serves the built pages by their path, and the 404 page for other paths. The API answers other methods. */
function builtPages(site: BuiltSite, environment: 'sandbox' | 'production'): RequestHandler {
  const isServed = (of: string | undefined) => of === undefined || of === environment;
  const pages = new Map(
    site.files
      .filter((file) => isServed(file.environment))
      .map((file) => [file.path, staticAsset({ ...file, load: () => site.load(file) })]),
  );
  const notFound = pages.get(NOT_FOUND)!;
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const path = `/docs${request.path}`.replace(/\/$/, '');
    const page = path === NOT_FOUND ? undefined : pages.get(path);
    if (page !== undefined) return page(request, response, next);
    response.status(404);
    return notFound(request, response, next);
  };
}

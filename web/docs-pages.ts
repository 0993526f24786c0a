import { readFile } from 'node:fs/promises';
import { type RequestHandler, Router } from 'express';
import type { DemoMerchant } from '../services/demo-merchant.ts';
import { changeLog } from './change-log.ts';
import { demoPage, demoScript } from './demo-page.ts';
import { wordsFor } from './guide-words.ts';
import { chaptersOf, type Fragments, guideHtml, introductionOf, readGuides } from './guides.ts';
import { type Link, pageHtml } from './layout.ts';
import { paymentDiagrams, paymentMoveTable } from './payment-states.ts';
import {
  RENDERER,
  referenceDocument,
  referencePage,
  referenceScript,
  type ShownGuide,
} from './reference-page.ts';
import { sampleEnvironment } from './sample-environment.ts';
import type { StateMove } from './state-diagram.ts';
import { staticAsset } from './static-asset.ts';
import { type TestValue, testValueTable } from './test-values.ts';

export interface DocsOptions {
  readonly isSandbox: boolean;
  /** The sandbox's demo merchant, whose keys are put into what can be tried; null where there is none. */
  readonly demo: () => DemoMerchant | null;
  /** The code's own tables. */
  readonly paymentMoves: Readonly<Record<string, StateMove>>;
  readonly testValues: readonly TestValue[];
}

/**
 * For these pages alone; answers of the API keep theirs. Nothing comes from another host. The renderer writes style
 * elements and attributes itself, and shows images from the contract's own data.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
/** Asked again each time, and answered 304 while nothing has changed. */
const REVALIDATED = 'no-cache';
const FOR_EVER = 'public, max-age=31536000, immutable';

const OWN_FILES = [
  ['base.css', 'text/css; charset=utf-8'],
  ['site.css', 'text/css; charset=utf-8'],
  ['reference.css', 'text/css; charset=utf-8'],
  ['theme.js', SCRIPT],
  ['site.js', SCRIPT],
  ['card-demo.js', SCRIPT],
  ['reference-names.js', SCRIPT],
  ['reference-search.js', SCRIPT],
  ['reference-storage.js', SCRIPT],
  ['reference-try.js', SCRIPT],
] as const;

/** The docs: the reference at `/docs`, the guides below `/docs/guides`, and what both are made of. */
export function docsPages(options: DocsOptions): RequestHandler {
  const router = Router({ strict: false });
  router.use('/docs', (_request, response, next) => {
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    // Some of the scripts hold the demo key, and a script may be loaded by any page that is not kept from it.
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    next();
  });
  const page = (load: () => Promise<string>) => staticAsset({ type: HTML, cacheControl: REVALIDATED, load });
  router.get('/', (_request, response) => response.redirect('/docs'));
  router.get(
    '/docs',
    page(async () => referencePage()),
  );
  router.get('/docs/guides', (_request, response) => response.redirect('/docs/guides/quick-start'));
  router.get('/docs/guides/:slug', guidePages(options));
  router.get(
    '/docs/demo',
    page(async () => demoPage(await guideLinks(), options.isSandbox)),
  );
  addScripts(router, options);
  addAssets(router);
  return router;
}

/** These hold the demo key, so they are made anew for each request. */
function addScripts(router: Router, { isSandbox, demo }: DocsOptions): void {
  router.get('/docs/reference.js', (_request, response) => {
    response.type(SCRIPT).send(referenceScript(demo()?.apiKey ?? null));
  });
  router.get('/docs/demo.js', (_request, response) => {
    response.type(SCRIPT).send(demoScript(isSandbox, demo()));
  });
}

function addAssets(router: Router): void {
  const { path, load } = RENDERER;
  router.get(path, staticAsset({ type: SCRIPT, cacheControl: FOR_EVER, load }));
  const contract = async () => {
    const text = await readFile(new URL('../generated/openapi.json', import.meta.url), 'utf8');
    return referenceDocument(text, await shownGuides());
  };
  const type = 'application/json; charset=utf-8';
  router.get('/docs/openapi.json', staticAsset({ type, cacheControl: REVALIDATED, load: contract }));
  for (const [file, fileType] of OWN_FILES) {
    const content = () => readFile(new URL(`./docs/${file}`, import.meta.url));
    const asset = staticAsset({ type: fileType, cacheControl: REVALIDATED, load: content });
    router.get(`/docs/assets/${file}`, asset);
  }
}

/** Each guide is made when it is first asked for. A guide that is not there is left to whoever answers 404. */
function guidePages(options: DocsOptions): RequestHandler {
  const pages = new Map<string, RequestHandler>();
  return async (request, response, next) => {
    const { slug } = request.params as { slug: string };
    const known = pages.get(slug);
    if (known !== undefined) return known(request, response, next);
    const guide = (await readGuides()).find((one) => one.slug === slug);
    if (guide === undefined) return next();
    const load = async () => {
      const main = guideHtml(guide, await fragmentsOf(options));
      const chapters = chaptersOf(guide).filter(({ depth }) => depth === 2);
      const here = `/docs/guides/${slug}`;
      return pageHtml({ title: guide.title, main, here, links: await guideLinks(), chapters });
    };
    const asset = staticAsset({ type: HTML, cacheControl: REVALIDATED, load });
    pages.set(slug, asset);
    return asset(request, response, next);
  };
}

/** All guides, and the page on which a card can be encrypted. */
async function guideLinks(): Promise<Link[]> {
  const guides = (await readGuides()).map(({ slug, title }) => ({ href: `/docs/guides/${slug}`, title }));
  return [...guides, { href: '/docs/demo', title: 'Demo: encrypt a card' }];
}

/** The same with what they are about, for the search of the reference. */
async function shownGuides(): Promise<ShownGuide[]> {
  const guides = new Map((await readGuides()).map((guide) => [`/docs/guides/${guide.slug}`, guide]));
  return (await guideLinks()).map((link) => {
    const guide = guides.get(link.href);
    return guide === undefined
      ? {
          ...link,
          introduction: 'A card encrypted in the browser and stored, to try in the sandbox.',
          chapters: [],
          words: [],
        }
      : { ...link, introduction: introductionOf(guide), chapters: chaptersOf(guide), words: wordsFor(guide) };
  });
}

async function fragmentsOf({ paymentMoves, testValues }: DocsOptions): Promise<Fragments> {
  return {
    'payment diagrams': paymentDiagrams(paymentMoves),
    'payment moves': paymentMoveTable(paymentMoves),
    'test cards': testValueTable(testValues, 'card'),
    'test amounts': testValueTable(testValues, 'pix_amount'),
    'test documents': testValueTable(testValues, 'document'),
    'change log': await changeLog(),
    environment: sampleEnvironment({ encryptionKey: false }),
    'environment with encryption key': sampleEnvironment({ encryptionKey: true }),
  };
}

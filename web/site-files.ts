import { readFile } from 'node:fs/promises';
import { browserLibrary } from './browser-library.ts';
import { NOT_FOUND, type SiteFile } from './built-site.ts';
import { changeLog } from './change-log.ts';
import { demoPage } from './demo-page.ts';
import { wordsFor } from './guide-words.ts';
import { chaptersOf, type Fragments, type Guide, guideHtml, introductionOf, readGuides } from './guides.ts';
import { type Link, pageHtml } from './layout.ts';
import { notFoundPage } from './not-found-page.ts';
import { paymentDiagrams, paymentMoveTable } from './payment-states.ts';
import { referenceDocument, type ShownGuide } from './reference-document.ts';
import { RENDERER, referencePage } from './reference-page.ts';
import { sampleEnvironment } from './sample-environment.ts';
import type { StateMove } from './state-diagram.ts';
import { type TestValue, testValueTable } from './test-values.ts';

/** The service's own tables, from which parts of the guides are made. */
export interface SiteTables {
  readonly paymentMoves: Readonly<Record<string, StateMove>>;
  readonly testValues: readonly TestValue[];
}

export interface BuiltFile extends SiteFile {
  readonly content: string | Buffer;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
/** Browsers ask again each time, and get a 304 while nothing has changed. */
const REVALIDATED = 'no-cache';
const FOR_EVER = 'public, max-age=31536000, immutable';
const FOR_AN_HOUR = 'public, max-age=3600';

const OWN_FILES = [
  ['base.css', STYLE],
  ['site.css', STYLE],
  ['reference.css', STYLE],
  ['theme.js', SCRIPT],
  ['site.js', SCRIPT],
  ['card-demo.js', SCRIPT],
  ['reference-names.js', SCRIPT],
  ['reference-search.js', SCRIPT],
  ['reference-storage.js', SCRIPT],
  ['reference-try.js', SCRIPT],
] as const;

/** Makes every file of the docs and of the card library that is the same for all requests. */
export async function siteFiles(tables: SiteTables): Promise<BuiltFile[]> {
  const guides = await readGuides();
  const links = linksOf(guides);
  const fragments = await fragmentsOf(tables);
  return [
    page('/docs', referencePage()),
    ...guides.map((guide) => guidePage(guide, links, fragments)),
    page('/docs/demo', demoPage(links, true), 'sandbox'),
    page('/docs/demo', demoPage(links, false), 'production'),
    page(NOT_FOUND, notFoundPage(links)),
    await contractOfReference(guides, links),
    { ...at(RENDERER.path, SCRIPT, FOR_EVER), content: await RENDERER.load() },
    ...(await Promise.all(OWN_FILES.map(ownFile))),
    { ...at('/lib/centavo.js', SCRIPT, FOR_AN_HOUR), content: await browserLibrary('classic') },
    { ...at('/lib/centavo.mjs', SCRIPT, FOR_AN_HOUR), content: await browserLibrary('module') },
  ];
}

function at(path: string, type: string, cacheControl: string): SiteFile {
  return { path, file: path.slice(1), type, cacheControl };
}

function page(path: string, content: string, environment?: SiteFile['environment']): BuiltFile {
  const file = `${[path.slice(1), environment].filter(Boolean).join('.')}.html`;
  const built = { ...at(path, 'text/html; charset=utf-8', REVALIDATED), file, content };
  return environment === undefined ? built : { ...built, environment };
}

function guidePage(guide: Guide, links: readonly Link[], fragments: Fragments): BuiltFile {
  const here = `/docs/guides/${guide.slug}`;
  const chapters = chaptersOf(guide).filter(({ depth }) => depth === 2);
  const main = guideHtml(guide, fragments);
  return page(here, pageHtml({ title: guide.title, main, here, links, chapters }));
}

async function contractOfReference(guides: readonly Guide[], links: readonly Link[]): Promise<BuiltFile> {
  const contract = await readFile(new URL('../generated/openapi.json', import.meta.url), 'utf8');
  const content = referenceDocument(contract, shownGuides(guides, links));
  return { ...at('/docs/openapi.json', 'application/json; charset=utf-8', REVALIDATED), content };
}

async function ownFile([name, type]: (typeof OWN_FILES)[number]): Promise<BuiltFile> {
  const content = await readFile(new URL(`./docs/${name}`, import.meta.url));
  return { ...at(`/docs/assets/${name}`, type, REVALIDATED), content };
}

/** All guides, and the page on which a card can be encrypted. */
function linksOf(guides: readonly Guide[]): Link[] {
  return [
    ...guides.map(({ slug, title }) => ({ href: `/docs/guides/${slug}`, title })),
    { href: '/docs/demo', title: 'Demo: encrypt a card' },
  ];
}

/** The same with what they are about, for the search of the reference. */
function shownGuides(guides: readonly Guide[], links: readonly Link[]): ShownGuide[] {
  const byLink = new Map(guides.map((guide) => [`/docs/guides/${guide.slug}`, guide]));
  return links.map((link) => {
    const guide = byLink.get(link.href);
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

async function fragmentsOf({ paymentMoves, testValues }: SiteTables): Promise<Fragments> {
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

import { readFile } from 'node:fs/promises';
import { browserLibrary } from './browser-library.ts';
import { NOT_FOUND, type SiteFile } from './built-site.ts';
import { bundle, minifiedStyle } from './bundle.ts';
import { changeLogHtml } from './change-log.ts';
import { cardFramePage } from './checkout/card-frame.ts';
import { en } from './checkout/words/en.ts';
import { pt } from './checkout/words/pt.ts';
import { demoPage } from './demo-page.ts';
import { sequenceFragments } from './event-sequences.ts';
import { chaptersOf, type Fragments, type Guide, guideHtml, readGuides } from './guides.ts';
import { landingPage } from './landing-page.ts';
import { type Link, pageHtml } from './layout.ts';
import { notFoundPage } from './not-found-page.ts';
import { paymentDiagrams, paymentMoveTable } from './payment-states.ts';
import { permissionTable } from './permission-table.ts';
import { receiverFragments } from './receiver-samples.ts';
import { referenceDocument } from './reference-document.ts';
import { RENDERER, referencePage } from './reference-page.ts';
import { sampleEnvironment } from './sample-environment.ts';
import { type ShownGuide, searchEntries } from './search-entries.ts';
import { packedIndex } from './search-index.ts';
import type { StateMove } from './state-diagram.ts';
import type { MethodChanges } from './subscription-chapters.ts';
import { mandateDiagram, subscriptionFragments } from './subscription-states.ts';
import { type TestValue, testValueTable } from './test-values.ts';
import { timeLineFragments } from './time-lines.ts';
import { WEBHOOK_TESTER, webhookTesterPage } from './webhook-tester-page.ts';

/** Tables of the service from which parts of the guides are generated. */
export interface SiteTables {
  readonly paymentMoves: Readonly<Record<string, StateMove>>;
  readonly subscriptionChanges: MethodChanges;
  readonly mandateMoves: Readonly<Record<string, StateMove>>;
  readonly testValues: readonly TestValue[];
}

export interface BuiltFile extends SiteFile {
  readonly content: string | Buffer;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
/** Browsers revalidate each time, and get a 304 if nothing has changed. */
const REVALIDATED = 'no-cache';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const FOR_AN_HOUR = 'public, max-age=3600';

/** The search as one file. A page loads it when the search is opened. */
const CHANGES = new URL('../spec/changes.yaml', import.meta.url);
const SEARCH_PANEL = new URL('./docs/search-panel.js', import.meta.url);
const WEBHOOK_TESTER_PROGRAM = new URL('./docs/webhook-tester/main.js', import.meta.url);
const OWN_FILES = [
  ['base.css', STYLE],
  ['site.css', STYLE],
  ['reference.css', STYLE],
  ['landing.css', STYLE],
  ['search.css', STYLE],
  ['webhook-tester.css', STYLE],
  ['theme.js', SCRIPT],
  ['bar.js', SCRIPT],
  ['search.js', SCRIPT],
  ['site.js', SCRIPT],
  ['card-demo.js', SCRIPT],
  ['old-addresses.js', SCRIPT],
  ['reference-ids.js', SCRIPT],
  ['reference-names.js', SCRIPT],
  ['reference-storage.js', SCRIPT],
  ['reference-try.js', SCRIPT],
] as const;

/** Builds every file of the docs and of the card library that is the same for all requests. */
export async function siteFiles(tables: SiteTables): Promise<BuiltFile[]> {
  const fragments = await fragmentsOf(tables);
  const guides = (await readGuides()).map((guide) => ({ ...guide, html: guideHtml(guide, fragments) }));
  const links = linksOf(guides);
  const contract = await readFile(new URL('../generated/openapi.json', import.meta.url), 'utf8');
  return [
    page('/docs', landingPage(guides)),
    page('/docs/reference', referencePage()),
    ...guides.map((guide) => guidePage(guide, links)),
    page('/docs/demo', demoPage(links, true), 'sandbox'),
    page('/docs/demo', demoPage(links, false), 'production'),
    page(WEBHOOK_TESTER.href, webhookTesterPage(links, true), 'sandbox'),
    page(WEBHOOK_TESTER.href, webhookTesterPage(links, false), 'production'),
    page(NOT_FOUND, notFoundPage(links)),
    json('/docs/openapi.json', referenceDocument(contract, links)),
    json('/docs/search.json', JSON.stringify(packedIndex(searchEntries(guides, contract)))),
    {
      ...at('/docs/assets/search-panel.js', SCRIPT, REVALIDATED),
      content: await bundle(SEARCH_PANEL, { format: 'esm' }),
    },
    {
      ...at('/docs/assets/webhook-tester.js', SCRIPT, REVALIDATED),
      content: await bundle(WEBHOOK_TESTER_PROGRAM, { format: 'iife' }),
    },
    { ...at(RENDERER.path, SCRIPT, IMMUTABLE), content: await RENDERER.load() },
    ...(await Promise.all(OWN_FILES.map(ownFile))),
    ...(await checkoutFiles()),
    { ...at('/lib/centavo.js', SCRIPT, FOR_AN_HOUR), content: await browserLibrary('classic') },
    { ...at('/lib/centavo.mjs', SCRIPT, FOR_AN_HOUR), content: await browserLibrary('module') },
  ];
}

/** The style and the programs of the pages of buyers. */
async function checkoutFiles(): Promise<BuiltFile[]> {
  const program = (name: string) =>
    bundle(new URL(`./checkout/browser/${name}`, import.meta.url), { format: 'iife' });
  return [
    {
      ...at('/checkout/assets/checkout.css', STYLE, REVALIDATED),
      content: await minifiedStyle(new URL('./checkout/checkout.css', import.meta.url)),
    },
    { ...at('/checkout/assets/checkout.js', SCRIPT, REVALIDATED), content: await program('checkout.js') },
    {
      ...at('/checkout/assets/card-frame.js', SCRIPT, REVALIDATED),
      content: await program('card-frame.js'),
    },
    ...Object.entries({ pt, en }).map(([language, words]) => ({
      ...at(`/lib/card-frame/${language}`, 'text/html; charset=utf-8', REVALIDATED),
      file: `lib/card-frame.${language}.html`,
      content: cardFramePage(words),
    })),
    { ...at('/checkout/assets/payment.js', SCRIPT, REVALIDATED), content: await program('payment.js') },
    { ...at('/checkout/assets/dead-end.js', SCRIPT, REVALIDATED), content: await program('dead-end.js') },
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

function json(path: string, content: string): BuiltFile {
  return { ...at(path, 'application/json; charset=utf-8', REVALIDATED), content };
}

function guidePage(guide: ShownGuide, links: readonly Link[]): BuiltFile {
  const here = `/docs/guides/${guide.slug}`;
  const chapters = chaptersOf(guide).filter(({ depth }) => depth === 2);
  return page(here, pageHtml({ title: guide.title, main: guide.html, here, links, chapters }));
}

async function ownFile([name, type]: (typeof OWN_FILES)[number]): Promise<BuiltFile> {
  const content = await readFile(new URL(`./docs/${name}`, import.meta.url));
  return { ...at(`/docs/assets/${name}`, type, REVALIDATED), content };
}

/** All guides, and the pages with programs. */
function linksOf(guides: readonly Guide[]): Link[] {
  return [
    ...guides.map(({ slug, title }) => ({ href: `/docs/guides/${slug}`, title })),
    { href: '/docs/demo', title: 'Demo: encrypt a card' },
    WEBHOOK_TESTER,
  ];
}

async function fragmentsOf(tables: SiteTables): Promise<Fragments> {
  const { paymentMoves, subscriptionChanges, mandateMoves, testValues } = tables;
  return {
    'payment diagrams': paymentDiagrams(paymentMoves),
    'payment moves': paymentMoveTable(paymentMoves),
    ...subscriptionFragments(subscriptionChanges),
    'mandate diagram': mandateDiagram(mandateMoves),
    ...timeLineFragments,
    'test cards': testValueTable(testValues, 'card'),
    'test amounts': testValueTable(testValues, 'amount'),
    'test documents': testValueTable(testValues, 'document'),
    ...(await sequenceFragments()),
    ...(await receiverFragments()),
    'change log': await changeLogHtml(await readFile(CHANGES, 'utf8')),
    permissions: await permissionTable(),
    environment: sampleEnvironment({ encryptionKey: false }),
    'environment with encryption key': sampleEnvironment({ encryptionKey: true }),
  };
}

import { wordsFor } from './guide-words.ts';
import type { Guide } from './guides.ts';
import { plainText, rowsOf, sectionsOf } from './html-sections.ts';
import { toHtml } from './markdown.ts';
import { operationEntries } from './search-operations.ts';
import type { SearchEntry } from './search-ranking.ts';
import { WEBHOOK_TESTER } from './webhook-tester-page.ts';

/** A guide with the HTML of its page's main part. */
export interface ShownGuide extends Guide {
  readonly html: string;
}

/** All entries of the search: guides by section and by table row, and the contract. */
export function searchEntries(guides: readonly ShownGuide[], contract: string): SearchEntry[] {
  const document = JSON.parse(contract) as { info: { description: string } };
  return [
    ...guides.flatMap(guideEntries),
    {
      kind: 'guide',
      title: 'Demo: encrypt a card',
      where: 'Demo',
      href: '/docs/demo',
      text: 'A form that encrypts a card in the browser and stores it in the sandbox.',
    },
    {
      kind: 'guide',
      ...WEBHOOK_TESTER,
      where: 'Tester',
      text: 'A page that shows the events and webhook deliveries of a sandbox as they happen.',
    },
    ...operationEntries(contract),
    ...chapterEntries(document.info.description),
  ];
}

/**
 * The guide with a section for each sequence of events. Its chapters are found, so that their many words do not count.
 */
const SEQUENCES = 'event-sequences';

function guideEntries(guide: ShownGuide): SearchEntry[] {
  const page = `/docs/guides/${guide.slug}`;
  const sections = sectionsOf(guide.html).filter(({ depth }) => guide.slug !== SEQUENCES || depth < 3);
  return sections.flatMap(({ id, title, depth, html }) => {
    const isPage = depth === 1;
    const where = isPage ? 'Guide' : guide.title;
    const section: SearchEntry = {
      kind: 'guide',
      title,
      where,
      href: isPage ? page : `${page}#${id}`,
      text: plainText(html),
      ...(isPage ? { words: wordsFor(guide) } : {}),
    };
    const rows = rowsOf(html).map(({ id: row, name, text }) => ({
      kind: 'value' as const,
      title: name,
      where: isPage ? guide.title : `${guide.title} › ${title}`,
      href: `${page}#${row}`,
      text,
    }));
    return [section, ...rows];
  });
}

/** The chapters of the reference that come before the operations. */
function chapterEntries(description: string): SearchEntry[] {
  return sectionsOf(toHtml(description)).map(({ title, html }) => ({
    kind: 'chapter',
    title,
    where: 'API reference',
    href: `/docs/reference#description/${rendererSlug(title)}`,
    text: `${plainText(html)} ${rowsOf(html)
      .map(({ text }) => text)
      .join(' ')}`,
  }));
}

/** The anchor that the renderer of the reference gives a heading. */
function rendererSlug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

import { readdir, readFile } from 'node:fs/promises';
import type { Link } from './layout.ts';
import { slugOf, toHtml } from './markdown.ts';

const FOLDER = new URL('./guides/', import.meta.url);

/** A guide of the docs: `web/guides/<order>-<slug>.md`. Its title is the first heading. */
export interface Guide {
  readonly slug: string;
  readonly title: string;
  readonly markdown: string;
}

/** All guides in order. To add one, add a file. */
export async function readGuides(): Promise<Guide[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.md')).sort();
  return Promise.all(files.map(readGuide));
}

async function readGuide(file: string): Promise<Guide> {
  const markdown = await readFile(new URL(file, FOLDER), 'utf8');
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  const [, slug] = /^\d+-([a-z-]+)\.md$/.exec(file) ?? [];
  if (title === undefined || slug === undefined)
    throw new Error(`The guide ${file} needs a name like 10-quick-start.md and a first heading.`);
  return { slug, title, markdown };
}

/** The chapters of a guide with their addresses, and those within chapters. */
export function chaptersOf({ slug, markdown }: Guide): (Link & { readonly depth: number })[] {
  const withoutSamples = markdown.replaceAll(/^```.*?^```$/gms, '');
  return [...withoutSamples.matchAll(/^(##+) (.+)$/gm)].map(([, marks, title]) => ({
    depth: marks!.length,
    title: title!,
    href: `/docs/guides/${slug}#${slugOf(title!)}`,
  }));
}

/** What the service's own tables give: HTML by the name of its place, `<!-- name -->` on a line of its own. */
export type Fragments = Readonly<Record<string, string>>;

/** Renders a guide. Throws if a comment is not a placeholder with a fragment: a misspelled one would show nothing. */
export function guideHtml({ slug, markdown }: Guide, fragments: Fragments): string {
  const html = toHtml(markdown).replaceAll(/<!--(.*?)(?:-->|$)/gs, (whole, text: string) => {
    const name = text.trim();
    const fragment = whole === `<!-- ${name} -->` ? fragments[name] : undefined;
    if (fragment === undefined) throw new Error(`Nothing fills the place "${name}" of the guide ${slug}.`);
    return fragment;
  });
  return withUniqueRows(html);
}

/** Removes the id of a table row if an earlier row of the page has the same. */
function withUniqueRows(html: string): string {
  const seen = new Set<string>();
  return html.replaceAll(/ id="(row-[^"]+)"/g, (attribute, id: string) => {
    const isFirst = !seen.has(id);
    seen.add(id);
    return isFirst ? attribute : '';
  });
}

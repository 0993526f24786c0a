import { escapeHtml } from './html.ts';

export interface Link {
  readonly href: string;
  readonly title: string;
}

/** The bar on top of every page of the docs, the reference's too. */
export function headerHtml(here: 'guides' | 'reference'): string {
  const link = (name: string, href: string, title: string) =>
    `<a href="${href}"${name === here ? ' aria-current="true"' : ''}>${title}</a>`;
  return `<header class="bar">
  <a class="brand" href="/docs">Centavo<span class="brand-word"> docs</span></a>
  <nav aria-label="Docs">
    ${link('guides', '/docs/guides/quick-start', 'Guides')}
    ${link('reference', '/docs', 'API reference')}
  </nav>
</header>`;
}

export interface Page {
  readonly title: string;
  /** HTML of the main part. */
  readonly main: string;
  readonly here: string;
  readonly links: readonly Link[];
  /** The chapters of this page, listed below its own link. */
  readonly chapters?: readonly Link[];
  readonly scripts?: readonly string[];
}

/** A whole page of the guides. */
export function pageHtml({ title, main, here, links, chapters = [], scripts = [] }: Page): string {
  const chapter = (link: Link) => `<li><a href="${link.href}">${escapeHtml(link.title)}</a></li>`;
  const below = chapters.length === 0 ? '' : `<ul>${chapters.map(chapter).join('')}</ul>`;
  const item = ({ href, title: name }: Link) =>
    href === here
      ? `<li><a href="${href}" aria-current="page">${escapeHtml(name)}</a>${below}</li>`
      : `<li><a href="${href}">${escapeHtml(name)}</a></li>`;
  const index = links.findIndex(({ href }) => href === here);
  const neighbour = (link: Link | undefined, word: string) =>
    link === undefined
      ? '<span></span>'
      : `<a href="${link.href}"><small>${word}</small>${escapeHtml(link.title)}</a>`;
  const follow =
    index < 0
      ? ''
      : `<nav class="follow" aria-label="Next and previous">${neighbour(links[index - 1], 'Previous')}${neighbour(links[index + 1], 'Next')}</nav>\n`;
  return `<!doctype html>
<html lang="en">
<head>
${headHtml(`${title} · Centavo`)}
<link rel="stylesheet" href="/docs/assets/site.css">
${['/docs/demo.js', '/docs/assets/site.js', ...scripts].map((src) => `<script src="${src}" defer></script>`).join('\n')}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${headerHtml('guides')}
<div class="columns">
<nav class="side" aria-label="Guides">
<a class="search" href="/docs?search">Search the docs</a>
<details open><summary>Guides</summary>
<ul>
${links.map(item).join('\n')}
</ul>
</details>
</nav>
<main id="main">
${main}
${follow}</main>
</div>
</body>
</html>
`;
}

/** What every page of the docs has in its head. The empty icon keeps browsers from asking for one. */
export function headHtml(title: string): string {
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='8' fill='%230b6b53'/%3E%3Cpath d='M11 5.5a4 4 0 1 0 0 5' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E">
<link rel="stylesheet" href="/docs/assets/base.css">
<script src="/docs/assets/theme.js"></script>`;
}

import { escapeHtml } from './html.ts';

export interface Link {
  readonly href: string;
  readonly title: string;
}

/** The part of the docs that the bar marks as current. */
export type Part = 'guides' | 'reference' | 'start' | 'none';

/** The bar at the top of every page of the docs. bar.js adds the buttons, which need scripts. */
export function headerHtml(here: Part): string {
  const link = (part: Part, href: string, title: string) =>
    `<a href="${href}"${part === here ? ' aria-current="true"' : ''}>${title}</a>`;
  return `<header class="bar">
  <a class="brand" href="/docs"${here === 'start' ? ' aria-current="page"' : ''}>Centavo<span class="on-wide"> docs</span></a>
  <nav aria-label="Docs">
    ${link('guides', '/docs/guides/quick-start', 'Guides')}
    ${link('reference', '/docs/reference', '<span class="on-wide">API reference</span><span class="on-narrow">Reference</span>')}
  </nav>
</header>`;
}

export interface Document {
  readonly title: string;
  readonly part: Part;
  /** HTML below the bar. */
  readonly body: string;
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** Scripts that run before anything is drawn. */
  readonly earlyScripts?: readonly string[];
}

const STYLES = ['site', 'search'].map((name) => `/docs/assets/${name}.css`);
const SCRIPTS = ['bar', 'search', 'site'].map((name) => `/docs/assets/${name}.js`);

/** A complete page of the docs, except the reference. */
export function documentHtml(document: Document): string {
  const { title, part, body, styles = [], scripts = [], earlyScripts = [] } = document;
  const head = [
    headHtml(title, [...STYLES, ...styles]),
    ...earlyScripts.map((src) => `<script src="${src}"></script>`),
    ...['/docs/demo.js', ...SCRIPTS, ...scripts].map((src) => `<script src="${src}" defer></script>`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
${head.join('\n')}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${headerHtml(part)}
${body}
</body>
</html>
`;
}

interface Page {
  readonly title: string;
  /** HTML of the main part. */
  readonly main: string;
  readonly here: string;
  readonly links: readonly Link[];
  /** The chapters of this page, listed below its own link. */
  readonly chapters?: readonly Link[];
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
}

/** A complete page with the list of guides at the side. */
export function pageHtml({
  title,
  main,
  here,
  links,
  chapters = [],
  styles = [],
  scripts = [],
}: Page): string {
  const chapter = (link: Link) => `<li><a href="${link.href}">${escapeHtml(link.title)}</a></li>`;
  const below = chapters.length === 0 ? '' : `<ul>${chapters.map(chapter).join('')}</ul>`;
  const item = ({ href, title: name }: Link) =>
    href === here
      ? `<li><a href="${href}" aria-current="page">${escapeHtml(name)}</a>${below}</li>`
      : `<li><a href="${href}">${escapeHtml(name)}</a></li>`;
  const body = `<div class="columns">
<nav class="side" aria-label="Guides">
<details open><summary>Guides</summary>
<ul>
${links.map(item).join('\n')}
</ul>
</details>
</nav>
<main id="main">
${main}
${followHtml(here, links)}</main>
</div>`;
  return documentHtml({ title: `${title} · Centavo`, part: 'guides', body, styles, scripts });
}

/** Links to the previous and the next page; empty if this page is not in the list. */
function followHtml(here: string, links: readonly Link[]): string {
  const index = links.findIndex(({ href }) => href === here);
  if (index < 0) return '';
  const neighbour = (link: Link | undefined, word: string) =>
    link === undefined
      ? '<span></span>'
      : `<a href="${link.href}"><small>${word}</small>${escapeHtml(link.title)}</a>`;
  const [previous, next] = [neighbour(links[index - 1], 'Previous'), neighbour(links[index + 1], 'Next')];
  return `<nav class="follow" aria-label="Next and previous">${previous}${next}</nav>\n`;
}

/**
 * The head of every page of the docs. With the inline icon, browsers do not request another one. The styles are before
 * the script that runs at once: Chromium may cancel its early request for a style behind such a script, and then
 * repeats it.
 */
export function headHtml(title: string, styles: readonly string[]): string {
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='8' fill='%230b6b53'/%3E%3Cpath d='M11 5.5a4 4 0 1 0 0 5' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E">
${['/docs/assets/base.css', ...styles].map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
<script src="/docs/assets/theme.js"></script>`;
}

import { escapeHtml } from './html.ts';
import { documentHtml, type Link } from './layout.ts';

/** The page for a path that the docs do not have. It does not repeat the path. */
export function notFoundPage(links: readonly Link[]): string {
  const item = ({ href, title }: Link) => `<li><a href="${href}">${escapeHtml(title)}</a></li>`;
  const body = `<main id="main" class="alone">
<h1 id="not-found">Page not found</h1>
<p>There is no page at this address. It may have moved. Search with the button at the top, start at the
<a href="/docs">docs</a>, read the <a href="/docs/reference">API reference</a>, or open a guide:</p>
<ul>
${links.map(item).join('\n')}
</ul>
</main>`;
  return documentHtml({ title: 'Page not found · Centavo', part: 'none', body });
}

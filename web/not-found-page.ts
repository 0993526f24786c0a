import { escapeHtml } from './html.ts';
import { type Link, pageHtml } from './layout.ts';

/** The page for a path that the docs do not have. It does not repeat the path. */
export function notFoundPage(links: readonly Link[]): string {
  const item = ({ href, title }: Link) => `<li><a href="${href}">${escapeHtml(title)}</a></li>`;
  const main = `<h1 id="not-found">Page not found</h1>
<p>There is no page at this address. It may have moved. Start at the <a href="/docs">docs</a>, or open a guide:</p>
<ul>
${links.map(item).join('\n')}
</ul>`;
  return pageHtml({ title: 'Page not found', main, here: '', links });
}

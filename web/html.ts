/** Escapes a text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * A table of HTML cells. On a phone, each row becomes a block in which every cell has its heading (site.css). The roles
 * keep it a table for screen readers.
 */
export function tableHtml(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const labels = headings.map((heading) => heading.replaceAll(/<[^>]*>/g, ''));
  const head = headings.map((heading) => `<th scope="col" role="columnheader">${heading}</th>`).join('');
  const cell = (html: string, i: number) => `<td role="cell" data-label="${labels[i]}">${html}</td>`;
  const row = (cells: readonly string[]) =>
    `<tr role="row"${addressOf(cells[0] ?? '')}>${cells.map(cell).join('')}</tr>`;
  const body = rows.map(row).join('\n');
  return `<table role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">
${body}
</tbody></table>
`;
}

/** The id of a row whose first cell is a single code or a status: `row-` and the code. Other rows have none. */
function addressOf(first: string): string {
  const [, code, status] = /^(?:<code>([\w.:-]+)<\/code>|(\d{3}))$/.exec(first) ?? [];
  const name = code ?? status;
  return name === undefined ? '' : ` id="row-${name}"`;
}

/** A box that scrolls. It takes the focus, so that readers can scroll with the keyboard. */
export function scrolling(html: string, label: string): string {
  return `<div class="scroll" role="region" aria-label="${label}" tabindex="0">${html}</div>`;
}

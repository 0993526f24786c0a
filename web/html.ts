/** A text as it may stand in HTML, attributes too. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A table that scrolls by itself where the page is narrow. Cells are HTML. */
export function tableHtml(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return scrolling(`<table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table>`, 'Table');
}

/** Whoever has no mouse must be able to scroll, so that the box takes the focus. */
export function scrolling(html: string, label: string): string {
  return `<div class="scroll" role="region" aria-label="${label}" tabindex="0">${html}</div>`;
}

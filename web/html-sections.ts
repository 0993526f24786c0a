/** The part of a page from one heading to the next. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** Level of the heading; 1 is the title of the page. */
  readonly depth: number;
  readonly html: string;
}

/** A table row with an id. */
export interface Row {
  readonly id: string;
  /** The text of its first cell. */
  readonly name: string;
  /** The text of the other cells. */
  readonly text: string;
}

const HEADING = /<h([1-3]) id="([^"]+)">(.*?)<\/h\1>/gs;
const ROW = /<tr role="row" id="([^"]+)">(.*?)<\/tr>/gs;
const CELL = /<td[^>]*>(.*?)<\/td>/gs;
/** Samples, diagrams, and closed details. */
const NO_PROSE = /<div class="code">.*?<\/pre><\/div>|<figure>.*?<\/figure>|<details.*?<\/details>/gs;
const ANCHOR = /<a class="anchor".*?<\/a>/gs;

/** The sections of a page that `toHtml` made, without samples and diagrams. */
export function sectionsOf(html: string): Section[] {
  const prose = html.replaceAll(NO_PROSE, ' ');
  const headings = [...prose.matchAll(HEADING)];
  return headings.map((heading, i) => {
    const [whole, depth, id, title] = heading;
    const end = headings[i + 1]?.index ?? prose.length;
    return {
      id: id!,
      title: plainText(title!.replaceAll(ANCHOR, '')),
      depth: Number(depth),
      html: prose.slice(heading.index + whole.length, end),
    };
  });
}

/** The table rows of a section that have an id. */
export function rowsOf(html: string): Row[] {
  return [...html.matchAll(ROW)].map(([, id, cells]) => {
    const [name = '', ...others] = [...cells!.matchAll(CELL)].map(([, cell]) => plainText(cell!));
    return { id: id!, name, text: others.join('. ') };
  });
}

/** The text of HTML as a reader sees it, on one line, without table rows that have an id: they are separate entries. */
export function plainText(html: string): string {
  return html
    .replaceAll(ROW, ' ')
    .replaceAll(/<\/(?:td|th|li|p|h\d)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

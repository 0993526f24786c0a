import type { SearchEntry } from './search-ranking.ts';

/** The entries of the search as a browser loads them: nothing that repeats is sent twice. */
export interface SearchIndex {
  /** The words of all entries, separated by spaces, each once. */
  readonly words: string;
  readonly entries: readonly PackedEntry[];
}

/**
 * The columns of an entry: kind, page, where, anchor, title, text, and the positions of its words. A column is `SAME`
 * if the entry before has the same value.
 */
type PackedEntry = readonly (string | typeof SAME)[];

const SAME = 0;

/** Packs entries for the transfer. The order of an entry's words is lost. */
export function packedIndex(entries: readonly SearchEntry[]): SearchIndex {
  const positions = new Map<string, number>();
  const positionOf = (word: string) => {
    const position = positions.get(word) ?? positions.size;
    positions.set(word, position);
    return position;
  };
  let before: readonly string[] = [];
  const packed = entries.map(({ kind, href, where, title, text, words = '' }) => {
    const [page = '', anchor = ''] = href.split('#');
    const numbers = wordsOf(words).map(positionOf);
    const columns = [kind, page, where, anchor, title, text, steps(numbers).join(' ')];
    const row = columns.map((column, i) => (column === before[i] ? SAME : column));
    before = columns;
    return row;
  });
  return { words: [...positions.keys()].join(' '), entries: packed };
}

/** The entries of an index that `packedIndex` made. */
export function entriesOf(index: SearchIndex): SearchEntry[] {
  const names = wordsOf(index.words);
  let columns: readonly string[] = [];
  return index.entries.map((row) => {
    columns = row.map((column, i) => (column === SAME ? columns[i]! : column));
    const [kind, page, where, anchor, title, text, numbers] = columns as Columns;
    const words = sums(wordsOf(numbers).map(Number)).map((position) => names[position]);
    return {
      kind,
      title,
      where,
      href: anchor === '' ? page : `${page}#${anchor}`,
      text,
      ...(words.length > 0 ? { words: words.join(' ') } : {}),
    };
  });
}

type Columns = readonly [SearchEntry['kind'], string, string, string, string, string, string];

function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

/**
 * The distances between sorted numbers. The fields of a schema are neighbours, so most distances are 1 and compress
 * well.
 */
function steps(numbers: readonly number[]): number[] {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted.map((number, i) => number - (sorted[i - 1] ?? 0));
}

function sums(distances: readonly number[]): number[] {
  let sum = 0;
  return distances.map((distance) => {
    sum += distance;
    return sum;
  });
}

import MiniSearch from 'minisearch';
import { SYNONYMS } from './search-words.ts';

/** What can be found: a page or a part of one. The names are short, as a browser loads hundreds of these. */
export interface SearchEntry {
  readonly kind: SearchKind;
  readonly title: string;
  /** Where it is, for the reader: the guide of a section, the path of an operation. */
  readonly where: string;
  readonly href: string;
  readonly text: string;
  /** Other words by which it is found, and that are not shown. */
  readonly words?: string;
}

export type SearchKind = 'guide' | 'value' | 'operation' | 'chapter' | 'event';

/** Weights of the score by kind. Explanations rank above payloads where both match. */
const WEIGHTS: Readonly<Record<SearchKind, number>> = {
  guide: 1.3,
  operation: 1.2,
  value: 0.9,
  chapter: 1,
  event: 0.6,
};
/** Weights of an operation by its method: the one that creates a resource ranks above those that change or delete it. */
const METHODS: Readonly<Record<string, number>> = { POST: 1.3, PUT: 0.9, DELETE: 0.8 };
const MOST_OF_ONE_PAGE = 3;
/** Words that occur in any question. They count only if nothing else was typed. */
const STOP_WORDS = new Set(
  'a an and at by do for from how i in is it my of on or the to what when where which with as com como da das de dos e em no na o os ou para por que um uma'.split(
    ' ',
  ),
);
const SAME = new Map<string, Set<string>>();
for (const group of SYNONYMS)
  for (const word of group) SAME.set(word, new Set([...(SAME.get(word) ?? []), ...group]));

export interface Found extends SearchEntry {
  /** The words by which the entry was found, and those that mean the same, as `tokensOf` gives them. */
  readonly matches: ReadonlySet<string>;
}

/** Finds entries by what a reader types: the best first, at most `most`. */
export type Search = (query: string, most?: number) => Found[];

/** A search over these entries. Its index takes tens of milliseconds to make. */
export function searchOf(entries: readonly SearchEntry[]): Search {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['title', 'words', 'where', 'text'],
    tokenize: (text) => tokensOf(text),
    processTerm: withSynonyms,
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));

  const ranked = (words: readonly string[], combineWith: 'AND' | 'OR') =>
    index.search(words.join(' '), {
      combineWith,
      tokenize: (text) => text.split(' '),
      processTerm: (word) => word,
      boost: { title: 5, words: 3, where: 1.5 },
      // A status such as 404 must match exactly; a longer number may be the beginning of a card number.
      prefix: (word) => !/^\d{1,3}$/.test(word),
      fuzzy: (word) => (/^[a-z]{5,}$/.test(word) ? 0.2 : false),
      weights: { prefix: 0.6, fuzzy: 0.2 },
      boostDocument: (id) => weightOf(entries[id]!),
    });

  return (query, most = 8) => {
    const words = queryWords(query);
    if (words.length === 0) return [];
    const all = ranked(words, 'AND');
    const found = (all.length > 0 ? all : ranked(words, 'OR')).map(({ id, terms }) => ({
      ...entries[id]!,
      matches: new Set(terms.flatMap(withSynonyms)),
    }));
    return atMostOfOnePage(exactFirst(found, query)).slice(0, most);
  };
}

function withSynonyms(word: string): string[] {
  return [...(SAME.get(word) ?? [word])];
}

/** Text as it is compared: words in lower case, without accents, singular; numbers as they are. */
export function tokensOf(text: string): string[] {
  return (folded(text).match(/[a-z]+\d[a-z0-9]*|\d+[a-z]+|[a-z]+|\d+/g) ?? []).map(singular);
}

function folded(text: string): string {
  const lower = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  // Written both ways: time-out and timeout, e-mail and email.
  return lower.replaceAll(/\btime[-_ ]out/g, 'timeout').replaceAll(/\be-mail/g, 'email');
}

function singular(word: string): string {
  if (word.length <= 3 || !word.endsWith('s') || word.endsWith('ss')) return word;
  return word.slice(0, -1);
}

/** The words of a query. A number that is written in groups, as cards and amounts are, is one. */
function queryWords(query: string): string[] {
  const joined = query.replaceAll(/\d[\d\s.,-]*\d/g, (number) => number.replaceAll(/\D/g, ''));
  const words = tokensOf(joined);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set(telling.length > 0 ? telling : words)];
}

/** The weight of an entry. A part without text, such as a diagram, explains less than one with text. */
function weightOf({ kind, text, where }: SearchEntry): number {
  if (kind === 'operation') return WEIGHTS.operation * (METHODS[where.split(' ')[0]!] ?? 1);
  return WEIGHTS[kind] * (kind === 'guide' && text.length < 40 ? 0.6 : 1);
}

/** An entry whose title is the query leads: a code, a status, a card number. */
function exactFirst(found: readonly Found[], query: string): Found[] {
  const wanted = folded(query).trim();
  const isExact = ({ title }: SearchEntry) => folded(title) === wanted;
  return found.toSorted((a, b) => Number(isExact(b)) - Number(isExact(a)));
}

/** A long page does not push all others out. */
function atMostOfOnePage(found: readonly Found[]): Found[] {
  const counts = new Map<string, number>();
  return found.filter(({ href, kind }) => {
    if (kind === 'operation') return true;
    const page = href.split('#')[0]!;
    counts.set(page, (counts.get(page) ?? 0) + 1);
    return counts.get(page)! <= MOST_OF_ONE_PAGE;
  });
}

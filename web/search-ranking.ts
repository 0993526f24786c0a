import MiniSearch from 'minisearch';
import { SYNONYMS } from './search-words.ts';

/** An entry of the search: a page or a part of one. */
export interface SearchEntry {
  readonly kind: SearchKind;
  readonly title: string;
  /** Shown to the reader: the guide of a section, or the path of an operation. */
  readonly where: string;
  readonly href: string;
  readonly text: string;
  /** Other words by which it is found. They are not shown. */
  readonly words?: string;
}

export type SearchKind = 'guide' | 'value' | 'operation' | 'chapter' | 'event';

/** Weights of the score by kind. Explanations rank above payloads if both match. */
const WEIGHTS: Readonly<Record<SearchKind, number>> = {
  guide: 1.3,
  operation: 1.2,
  value: 0.9,
  chapter: 1,
  event: 0.6,
};
/**
 * Weights of an operation by its method: the one that creates a resource ranks above those that change or delete it.
 */
const METHODS: Readonly<Record<string, number>> = { POST: 1.3, PUT: 0.9, DELETE: 0.8 };
/** A POST that changes a resource. */
const SWITCH = /\/(enable|disable|archive|restore|reactivate|change-plan|preview|subscriptions\/cancel)$/;
/** Weight of the public operations of buyers, because most readers look for those of merchants. */
const BUYERS = 0.6;
const MOST_OF_ONE_PAGE = 3;
/** The maximum of results from one chapter of the reference. */
const MOST_OF_ONE_CHAPTER = 5;
/** Words that occur in many questions. They count only if the query has no other words. */
const STOP_WORDS = new Set(
  'a an and at by do for from how i in is it my of on or the to what when where which with as com como da das de dos e em no na o os ou para por que um uma'.split(
    ' ',
  ),
);
const SAME = new Map<string, Set<string>>();
for (const group of SYNONYMS)
  for (const word of group) SAME.set(word, new Set([...(SAME.get(word) ?? []), ...group]));

export interface Found extends SearchEntry {
  /** The words by which the entry was found, with their synonyms, as tokens of `tokensOf`. */
  readonly matches: ReadonlySet<string>;
}

/** Finds entries for a query, best first, at most `most`. */
export type Search = (query: string, most?: number) => Found[];

/** Creates a search over these entries. Its index takes tens of milliseconds. */
export function searchOf(entries: readonly SearchEntry[]): Search {
  const index = new MiniSearch<SearchEntry & { id: number }>({
    fields: ['title', 'words', 'where', 'text'],
    tokenize: (text) => tokensOf(text),
    processTerm: withSynonyms,
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));

  const ranked = (words: readonly string[], combineWith: 'AND' | 'OR', isName: boolean) =>
    index.search(words.join(' '), {
      combineWith,
      tokenize: (text) => text.split(' '),
      processTerm: (word) => word,
      boost: { title: 5, words: 3, where: 1.5 },
      // A status such as 404 must match exactly. A longer number can be the beginning of a card number. In the name of
      // a field, such as end_to_end_id, only the last word can be incomplete.
      prefix: (word, i) => !/^\d{1,3}$/.test(word) && (!isName || i === words.length - 1),
      fuzzy: (word) => (/^[a-z]{5,}$/.test(word) ? 0.2 : false),
      weights: { prefix: 0.6, fuzzy: 0.2 },
      boostDocument: (id) => weightOf(entries[id]!),
    });

  return (query, most = 8) => {
    const words = queryWords(query);
    if (words.length === 0) return [];
    const isName = query.includes('_');
    const all = ranked(words, 'AND', isName);
    const found = (all.length > 0 ? all : ranked(words, 'OR', isName)).map(({ id, terms }) => ({
      ...entries[id]!,
      matches: new Set(terms.flatMap(withSynonyms)),
    }));
    return atMostOfOnePage(exactFirst(found, query)).slice(0, most);
  };
}

function withSynonyms(word: string): string[] {
  return [...(SAME.get(word) ?? [word])];
}

/** Tokens of a text for comparison: words in lower case, without accents, singular; numbers unchanged. */
export function tokensOf(text: string): string[] {
  return (folded(text).match(/[a-z]+\d[a-z0-9]*|\d+[a-z]+|[a-z]+|\d+/g) ?? []).map(singular);
}

function folded(text: string): string {
  const lower = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  // Both spellings are used: time-out and timeout, e-mail and email.
  return lower.replaceAll(/\btime[-_ ]out/g, 'timeout').replaceAll(/\be-mail/g, 'email');
}

function singular(word: string): string {
  if (word.length <= 3 || !word.endsWith('s') || word.endsWith('ss')) return word;
  return word.slice(0, -1);
}

/** The words of a query. A number in groups of digits, such as a card number, is one word. */
function queryWords(query: string): string[] {
  const joined = query.replaceAll(/\d[\d\s.,-]*\d/g, (number) => number.replaceAll(/\D/g, ''));
  const words = tokensOf(joined);
  const significant = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set(significant.length > 0 ? significant : words)];
}

/** The weight of an entry. A section with little text, such as a diagram, ranks lower. */
function weightOf({ kind, text, where }: SearchEntry): number {
  if (kind === 'operation') {
    const [method = '', path = ''] = where.split(' ');
    const ofMethod = METHODS[SWITCH.test(path) ? 'PUT' : method] ?? 1;
    return WEIGHTS.operation * ofMethod * (path.startsWith('/checkout/') ? BUYERS : 1);
  }
  return WEIGHTS[kind] * (kind === 'guide' && text.length < 40 ? 0.6 : 1);
}

/**
 * Moves entries whose title is the query to the front: a code, a status, a card number, the plural title of a guide.
 * After them come the operations with a field of that name.
 */
function exactFirst(found: readonly Found[], query: string): Found[] {
  const wanted = folded(query).trim();
  const rank = ({ kind, title, words = '' }: SearchEntry) => {
    if (
      folded(title) === wanted ||
      (kind === 'guide' && /^\w+$/.test(wanted) && folded(title) === `${wanted}s`)
    )
      return 2;
    return wanted.includes('_') && words.split(' ').includes(wanted) ? 1 : 0;
  };
  return found.toSorted((a, b) => rank(b) - rank(a));
}

/** Limits the entries of one page, and the operations of one chapter, so that none of them fills the list. */
function atMostOfOnePage(found: readonly Found[]): Found[] {
  const counts = new Map<string, number>();
  return found.filter(({ href, kind }) => {
    const isOperation = kind === 'operation';
    // `/docs/reference#tag/payments/GET/payments` is in the chapter `/docs/reference#tag/payments`.
    const page = isOperation ? href.split('/').slice(0, 4).join('/') : href.split('#')[0]!;
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    return count <= (isOperation ? MOST_OF_ONE_CHAPTER : MOST_OF_ONE_PAGE);
  });
}

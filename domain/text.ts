import { shownFieldPath } from './field-names.ts';

/** So many bad places are named at most: an answer must not outgrow the request that it refuses. */
const MAX_PATHS = 100;

interface Place {
  readonly value: unknown;
  readonly key: string;
  readonly parent: Place | null;
}

/** Whether Postgres can keep a text: `text` and `jsonb` know no NUL, and UTF-8 no lone surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Unaccented printable ASCII, cut to `maxCharacters`, so that characters are bytes and whoever reads it counts the same
 * lengths. Empty where nothing of the text can be written so.
 */
export function plainAscii(text: string, maxCharacters: number): string {
  const ascii = text
    .normalize('NFKD')
    .replace(/[^ -~]/g, '')
    .replace(/ +/g, ' ')
    .trim();
  return ascii.slice(0, maxCharacters).trimEnd();
}

/**
 * Dotted paths (array index as a number, `''` for the value itself) of the first 100 strings and keys of a parsed JSON
 * value that cannot be stored, in document order. In a path a bad character reads U+FFFD. Walks without recursion.
 */
export function findUnstorableText(value: unknown): string[] {
  const paths = new Set<string>();
  const pending: Place[] = [{ value, key: '', parent: null }];
  while (pending.length > 0 && paths.size < MAX_PATHS) {
    const place = pending.pop()!;
    const badValue = typeof place.value === 'string' && !isStorableText(place.value);
    if (badValue || !isStorableText(place.key)) paths.add(pathOf(place));
    if (typeof place.value !== 'object' || place.value === null) continue;
    const children = Object.entries(place.value);
    for (let i = children.length - 1; i >= 0; i -= 1) {
      const [key, child] = children[i]!;
      pending.push({ value: child, key, parent: place });
    }
  }
  return [...paths];
}

/**
 * Whether JSON text nests objects and arrays deeper than `max` (a bare scalar is 0, `[]` is 1). One pass over the
 * text, so it can stand before a parser that recurses; text that is not JSON gets some answer, never an error.
 */
export function exceedsDepth(text: string, max: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i);
    if (character === QUOTE) inString = !inString;
    else if (inString && character === BACKSLASH) i += 1;
    else if (!inString && (character === OPEN_BRACE || character === OPEN_BRACKET)) {
      depth += 1;
      if (depth > max) return true;
    } else if (!inString && (character === CLOSE_BRACE || character === CLOSE_BRACKET)) depth -= 1;
  }
  return false;
}

/**
 * Whether JSON text holds more than `max` values, counted by what begins or parts them: each comma, brace and bracket that
 * opens. One pass, before anything is built of the text; text that is not JSON gets some answer, never an error.
 */
export function exceedsCount(text: string, max: number): boolean {
  if (text.length <= max) return false;
  let count = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i);
    if (character === QUOTE) inString = !inString;
    else if (inString && character === BACKSLASH) i += 1;
    else if (!inString && (character === COMMA || character === OPEN_BRACE || character === OPEN_BRACKET)) {
      count += 1;
      if (count > max) return true;
    }
  }
  return false;
}

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

function pathOf(place: Place): string {
  const keys: string[] = [];
  for (let at: Place = place; at.parent !== null; at = at.parent) keys.push(at.key);
  return shownFieldPath(keys.reverse());
}

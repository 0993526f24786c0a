import { shownFieldPath } from './field-names.ts';

/** Limits the answer, which must not be larger than the request that it refuses. */
const MAX_PATHS = 100;

interface JsonNode {
  readonly value: unknown;
  readonly key: string;
  readonly parent: JsonNode | null;
}

/** Whether Postgres can store a text: its types `text` and `jsonb` allow no NUL, and UTF-8 allows no lone surrogate. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Printable ASCII without accents, cut to `maxCharacters`. Each character is one byte, so every system counts the same
 * length. Empty when the text has no such characters.
 */
export function plainAscii(text: string, maxCharacters: number): string {
  const ascii = text
    .normalize('NFKD')
    .replace(/[^ -~]/g, '')
    .replace(/ +/g, ' ')
    .trim();
  return ascii.slice(0, maxCharacters).trimEnd();
}

/** The text as a single line: each run of white space and control characters becomes one space. */
export function singleLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Whether a reader would see nothing: only white space, control characters, fillers and marks without a letter. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** The text as a single line. `-` if it is blank. */
export function filledLine(text: string): string {
  return isBlank(text) ? '-' : singleLine(text);
}

/** A single line if the text has control characters, which the contract refuses today. Other texts are not changed. */
export function withoutControls(text: string): string {
  return /\p{Cc}/u.test(text) ? filledLine(text) : text;
}

/**
 * The beginning of a text, with at most `max` UTF-16 units and no half of a surrogate pair. So it has at most `max`
 * characters for every system, whether it counts units or code points.
 */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd();
}

/**
 * Dotted paths (array index as a number, `''` for the value itself) of the first 100 strings and keys of a parsed JSON
 * value that cannot be stored, in document order. In a path U+FFFD replaces a character that cannot be stored. Does not
 * recurse.
 */
export function findUnstorableText(value: unknown): string[] {
  const paths = new Set<string>();
  const pending: JsonNode[] = [{ value, key: '', parent: null }];
  while (pending.length > 0 && paths.size < MAX_PATHS) {
    const node = pending.pop()!;
    const badValue = typeof node.value === 'string' && !isStorableText(node.value);
    if (badValue || !isStorableText(node.key)) paths.add(pathOf(node));
    if (typeof node.value !== 'object' || node.value === null) continue;
    const children = Object.entries(node.value);
    for (let i = children.length - 1; i >= 0; i -= 1) {
      const [key, child] = children[i]!;
      pending.push({ value: child, key, parent: node });
    }
  }
  return [...paths];
}

/**
 * Whether JSON text nests objects and arrays deeper than `max` (a bare scalar is 0, `[]` is 1). Does not recurse, so it
 * can be called before a parser that does. The result for text that is not JSON is arbitrary; it never throws.
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
 * Whether JSON text holds more than `max` values. Counts commas, opening braces and opening brackets, without building
 * anything. The result for text that is not JSON is arbitrary; it never throws.
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

function pathOf(node: JsonNode): string {
  const keys: string[] = [];
  for (let at: JsonNode = node; at.parent !== null; at = at.parent) keys.push(at.key);
  return shownFieldPath(keys.reverse());
}

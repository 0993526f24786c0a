import type { Json } from '../../support/service.ts';

/** Of these not the form alone but the value too: what an example tells about is told by them. */
const TELLING = ['status', 'event', 'payment_method', 'code', 'environment'];
/** The caller's own words, in which any field may stand. */
const FREE = ['metadata'];

/**
 * How an example differs from an answer that was given, or null: the same fields with the same kinds of values, all
 * the way down, the same sentences, amounts that are nothing or something as there, and each item of a list like one of
 * the answer's.
 */
export function difference(example: Json, given: Json, at = 'body'): string | null {
  if (kindOf(example) !== kindOf(given)) return `${at} is ${kindOf(example)}, not ${kindOf(given)}`;
  if (Array.isArray(example)) return listDifference(example, given, at);
  if (kindOf(example) !== 'object')
    return isLike(example, given) ? null : `${at} is ${example}, not ${given}`;
  const [shown, had] = [Object.keys(example).sort(), Object.keys(given).sort()];
  const odd = [...shown.filter((key) => !had.includes(key)), ...had.filter((key) => !shown.includes(key))];
  if (odd.length > 0) return `${at} differs in ${odd.join(', ')}`;
  for (const key of shown) {
    if (FREE.includes(key)) continue;
    if (isAmount(key, example[key]) && Math.sign(example[key]) !== Math.sign(given[key]))
      return `${at}.${key} is ${example[key]}, not ${given[key]}`;
    const found = difference(example[key], given[key], `${at}.${key}`);
    if (found !== null) return found;
    const isTelling = TELLING.includes(key) && kindOf(example[key]) === 'string' && isWord(example[key]);
    if (isTelling && example[key] !== given[key]) return `${at}.${key} is ${example[key]}, not ${given[key]}`;
  }
  return null;
}

function listDifference(example: Json[], given: Json[], at: string): string | null {
  if (example.length > 0 && given.length === 0) return `${at} is not empty`;
  for (const [index, item] of example.entries()) {
    const differences = given.map((other) => difference(item, other, `${at}.${index}`));
    if (!differences.includes(null)) return differences[0]!;
  }
  return null;
}

/** `pre_authorized`, in difference to `pedido-1001`: a word of the contract, not of a caller. */
function isWord(text: string): boolean {
  return /^[a-z_.]+$/.test(text);
}

/** Nothing was taken, or something was: that makes another story of it, how much does not. */
function isAmount(key: string, value: Json): boolean {
  return /amount$/.test(key) && typeof value === 'number';
}

/** A sentence is one of ours, and said as it stands, but for its numbers and the permission that it names. */
function isLike(example: Json, given: Json): boolean {
  if (typeof example !== 'string' || !/^[A-Z].* .*\.$/.test(example)) return true;
  return withoutValues(example) === withoutValues(given);
}

function withoutValues(sentence: string): string {
  return sentence.replaceAll(/\d+/g, '0').replaceAll(/\b[a-z]+:(read|write)\b/g, 'permission');
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

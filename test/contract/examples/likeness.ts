import type { Json } from '../../support/service.ts';

/** For these fields the value is compared, not only its format, because they say what an example is about. */
const TELLING = ['status', 'event', 'payment_method', 'code', 'environment'];
/** The caller's own data, which may contain any field. */
const FREE = ['metadata'];

/**
 * How an example differs from an answer that was given, or null if it does not. Both must have the same fields with
 * values of the same kinds, at every depth, and the same sentences. An amount must be 0 in both or in neither. Each
 * item of a list of the example must match an item of the answer's list.
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

/** Whether a text is a word of the contract, such as `pre_authorized`, and not of a caller, such as `pedido-1001`. */
function isWord(text: string): boolean {
  return /^[a-z_.]+$/.test(text);
}

/** Amounts may differ, but an amount of 0 means something else than a larger one. */
function isAmount(key: string, value: Json): boolean {
  return /amount$/.test(key) && typeof value === 'number';
}

/**
 * Whether two texts are the same sentence of the service, apart from numbers and the names of permissions. Texts that
 * are not sentences always match.
 */
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

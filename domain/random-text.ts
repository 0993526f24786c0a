/** A source of randomness. Returns `count` unpredictable bytes. */
export type RandomBytes = (count: number) => Uint8Array;

export const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
export const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Working randomness finishes a text long before this many draws. */
const MAX_DRAWS = 100;

/**
 * `length` characters of `alphabet` (at most 256), all equally likely. Bytes in the incomplete range at the top are
 * discarded, because a plain remainder would favor the first characters. Throws when the source returns nothing but such
 * bytes.
 */
export function randomText(alphabet: string, length: number, random: RandomBytes): string {
  const usable = 256 - (256 % alphabet.length);
  let text = '';
  for (let draw = 0; draw < MAX_DRAWS && text.length < length; draw += 1) {
    for (const byte of random(length - text.length)) {
      if (byte < usable) text += alphabet[byte % alphabet.length];
    }
  }
  if (text.length < length) throw new Error('The source of randomness is stuck.');
  return text;
}

/** A source of randomness. Returns `count` unpredictable bytes. */
export type RandomBytes = (count: number) => Uint8Array;

export const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
export const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A working source of randomness needs far fewer draws. */
const MAX_DRAWS = 100;

/**
 * `length` characters of `alphabet` (at most 256 characters), all equally likely. Bytes at the top of the range are
 * discarded: the remainder of a division would favor the first characters. Throws if the source returns only such
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

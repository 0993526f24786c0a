/** A source of randomness: as many unpredictable bytes as asked for. */
export type RandomBytes = (count: number) => Uint8Array;

export const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
export const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz';
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A working source leaves a text unfinished after so many draws less than once in the age of the universe. */
const MAX_DRAWS = 100;

/**
 * `length` characters of `alphabet` (at most 256), each as likely as any other: a byte in the uneven rest at the top is
 * thrown away, since a plain remainder would favour the first characters. Throws when the source is stuck on such bytes.
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

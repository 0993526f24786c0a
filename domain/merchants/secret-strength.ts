const KEY_BYTES = 32;
/**
 * The minimum of different bytes or characters. A random key of 32 bytes has about 30, and its hex form all 16 digits.
 * A placeholder such as `changeme` has fewer.
 */
const MIN_DIFFERENT = 8;

/** Whether a secret has enough different characters or bytes to be random. */
export function looksRandom(secret: string | Uint8Array): boolean {
  return new Set<string | number>(secret).size >= MIN_DIFFERENT;
}

/** Decodes 32 bytes from base64. Undefined unless the text is exactly the base64 of 32 bytes, with its padding. */
export function readBase64Key(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES && key.toString('base64') === text ? key : undefined;
}

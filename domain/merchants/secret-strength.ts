const KEY_BYTES = 32;
/** Fewer different bytes or characters are a placeholder: 32 random bytes have about 30, 64 hex digits all 16. */
const MIN_DIFFERENT = 8;

/** Whether a secret could have been drawn at random, by its length in characters and its variety. */
export function hasVariety(secret: string | Uint8Array): boolean {
  return new Set<string | number>(secret).size >= MIN_DIFFERENT;
}

/** The 32 bytes that `text` is the base64 of; undefined when it is anything else, were it by one character or bit. */
export function readBase64Key(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES && key.toString('base64') === text ? key : undefined;
}

const KEY_BYTES = 32;
/**
 * A secret with fewer different bytes or characters is a placeholder: 32 random bytes have about 30, 64 hex digits all 16.
 */
const MIN_DIFFERENT = 8;

/** Whether a secret has so many different characters or bytes that it can be random. */
export function hasVariety(secret: string | Uint8Array): boolean {
  return new Set<string | number>(secret).size >= MIN_DIFFERENT;
}

/** Decodes a base64 text of 32 bytes. Undefined for any other text, also where it differs by one character or bit. */
export function readBase64Key(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES && key.toString('base64') === text ? key : undefined;
}

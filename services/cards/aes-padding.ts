/** The block of AES. */
export const BLOCK_BYTES = 16;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * How many trailing bytes of the last block could be padding (0 to 16; of these bytes, JSON can end only in white
 * space), and whether they are valid: PKCS #7 (RFC 5652, 6.3), with white space allowed before it. Takes the same steps
 * for all bytes.
 */
export function trailerOf(bytes: Buffer): { readonly isPadding: boolean; readonly length: number } {
  const count = bytes[bytes.length - 1]!;
  // Any set bit is a fault. Here a negative number shifted right by 8 has all bits set, and any other number is zero.
  let faults = ((count - 1) >> 8) | ((BLOCK_BYTES - count) >> 8);
  let trailing = -1;
  let length = 0;
  for (let i = 1; i <= BLOCK_BYTES; i += 1) {
    const byte = bytes[bytes.length - i]!;
    const beyond = (count - i) >> 8;
    trailing &= (byte - BLOCK_BYTES - 1) >> 8;
    length -= trailing;
    faults |= ~beyond & (byte ^ count);
    faults |= beyond & trailing & ((byte ^ TAB) * (byte ^ LINE_FEED) * (byte ^ CARRIAGE_RETURN));
  }
  return { isPadding: faults === 0, length };
}

const SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const;

/**
 * MD5 (RFC 1321) of some bytes, as lower-case hex. WebCrypto does not have it. Use it only for the initialization
 * vector of the AES form.
 */
export function md5Hex(bytes: Uint8Array): string {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, bytes.length << 3, true);
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let at = 0; at < padded.length; at += 64) {
    const [a, b, c, d] = mixed(state, (word) => view.getUint32(at + word * 4, true));
    state = [state[0]! + a!, state[1]! + b!, state[2]! + c!, state[3]! + d!].map((sum) => sum | 0);
  }
  const digest = new DataView(new ArrayBuffer(16));
  state.forEach((word, i) => {
    digest.setInt32(i * 4, word, true);
  });
  return [...new Uint8Array(digest.buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** One block of 64 steps (section 3.4). */
function mixed(state: readonly number[], word: (index: number) => number): number[] {
  let [a, b, c, d] = state as [number, number, number, number];
  for (let step = 0; step < 64; step += 1) {
    const round = step >> 4;
    const [mix, index] = [
      [(b & c) | (~b & d), step],
      [(d & b) | (~d & c), (5 * step + 1) % 16],
      [b ^ c ^ d, (3 * step + 5) % 16],
      [c ^ (b | ~d), (7 * step) % 16],
    ][round] as [number, number];
    const constant = Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32);
    const sum = (a + mix + constant + word(index)) | 0;
    const shift = SHIFTS[round]![step % 4]!;
    [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
  }
  return [a, b, c, d];
}

/** The reader of the tests for the BR Codes that the service writes. */

const PAYLOAD_MAX_CHARACTERS = 512;

/** Fields that hold fields: merchant accounts, additional data, language template, unreserved templates. */
const isTemplate = (id: string) => (id >= '26' && id <= '51') || id === '62' || id === '64' || id >= '80';

/**
 * The fields of a BR Code by dotted id (`54`, `26.25`, `80.25`), or null when it is malformed: a length that does not
 * fit, an id twice, no `00` in front, or a CRC that differs.
 */
export function parseBrCode(payload: string): ReadonlyMap<string, string> | null {
  const outer = payload.length <= PAYLOAD_MAX_CHARACTERS ? readFields(payload) : null;
  if (outer === null || outer.keys().next().value !== '00') return null;
  if (payload.slice(-8, -4) !== '6304' || outer.get('63') !== crc16(payload.slice(0, -4))) return null;
  const fields = new Map<string, string>();
  for (const [id, value] of outer) {
    if (!isTemplate(id)) {
      fields.set(id, value);
      continue;
    }
    const inner = readFields(value);
    if (inner === null) return null;
    for (const [innerId, innerValue] of inner) fields.set(`${id}.${innerId}`, innerValue);
  }
  return fields;
}

/** CRC-16 of EMV QRCPS 4.7.3, a byte at a time: the service computes it a bit at a time. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    let mixed = (crc >> 8) ^ byte;
    mixed ^= mixed >> 4;
    crc = ((crc << 8) ^ (mixed << 12) ^ (mixed << 5) ^ mixed) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function readFields(text: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    const head = /^([0-9]{2})([0-9]{2})$/.exec(text.slice(at, at + 4));
    if (head === null) return null;
    const [, id, digits] = head as unknown as [string, string, string];
    const end = at + 4 + Number(digits);
    if (end > text.length || fields.has(id)) return null;
    fields.set(id, text.slice(at + 4, end));
    at = end;
  }
  return fields;
}

import { isCentavos } from '../money.ts';
import { plainAscii } from '../text.ts';

/**
 * Pix BR Code: the text inside a Pix QR. EMV QRCPS Merchant-Presented Mode 1.1 with the profile of Banco Central
 * ("Manual de Padrões para Iniciação do Pix"): fields of a two-character id, a two-digit length and a value.
 */
export interface PixBrCode {
  /**
   * Where the payer's bank reads the charge: host and path without scheme, at most 77 characters. Null: the code asks
   * for a mandate only.
   */
  readonly location: string | null;
  /** Where the payer's bank reads the mandate of Pix Automático; absent without one. */
  readonly recurrenceLocation?: string;
  /** Written unaccented and cut to 25 characters. */
  readonly merchantName: string;
  /** Written unaccented and cut to 15 characters. */
  readonly merchantCity: string;
  /** Null: the payer's bank reads the amount at the location. */
  readonly amount_centavos: number | null;
  /**
   * Reference label of at most 25 characters. Null writes `***`: the bank reads the txid of a charge at the location.
   */
  readonly txid: string | null;
  /** Merchant category code, four digits; `0000` (unknown) when left out. */
  readonly mcc?: string;
}

const PIX_GUI = 'br.gov.bcb.pix';
const PAYLOAD_MAX_CHARACTERS = 512;
/** EMV requires a name and a city. This replaces one that has no ASCII form. */
const NOT_INFORMED = 'NAO INFORMADO';

/**
 * The text of a dynamic, single-use charge, of a mandate, or of both. Throws a RangeError if a field cannot be written.
 */
export function encodePixBrCode(code: PixBrCode): string {
  const { amount_centavos, location, recurrenceLocation, mcc = '0000', txid } = code;
  const locations = [location, recurrenceLocation].filter((one) => one != null);
  if (locations.length === 0) throw new RangeError('A BR Code needs a charge or a mandate.');
  if (!locations.every((one) => /^[!-~]{1,77}$/.test(one)))
    throw new RangeError('A location is 1 to 77 ASCII characters.');
  if (!/^[0-9]{4}$/.test(mcc)) throw new RangeError('A merchant category code is four digits.');
  if (txid !== null && !/^[!-~]{1,25}$/.test(txid))
    throw new RangeError('A reference is 1 to 25 characters.');
  if (amount_centavos !== null && !isCentavos(amount_centavos))
    throw new RangeError('Not an amount of centavos.');
  const withoutCrc = [
    field('00', '01'),
    location === null ? '' : field('01', '12'),
    field('26', field('00', PIX_GUI) + (location === null ? '' : field('25', location))),
    field('52', mcc),
    field('53', '986'),
    amount_centavos === null ? '' : field('54', decimal(amount_centavos)),
    field('58', 'BR'),
    field('59', plainAscii(code.merchantName, 25) || NOT_INFORMED),
    field('60', plainAscii(code.merchantCity, 15) || NOT_INFORMED),
    field('62', field('05', txid ?? '***')),
    recurrenceLocation === undefined
      ? ''
      : field('80', field('00', PIX_GUI) + field('25', recurrenceLocation)),
    '6304',
  ].join('');
  const payload = withoutCrc + crc16(withoutCrc);
  if (payload.length > PAYLOAD_MAX_CHARACTERS) throw new RangeError('A BR Code is at most 512 characters.');
  return payload;
}

/** CRC-16 of EMV QRCPS 4.7.3 (polynomial 0x1021, initial 0xFFFF, no reflection) as four upper-case hex digits. */
function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value;
}

/** EMV amounts are decimals with a point; centavos always as two digits. */
function decimal(amount_centavos: number): string {
  const digits = String(amount_centavos).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

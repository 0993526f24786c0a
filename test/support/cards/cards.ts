import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { CompactEncrypt, importJWK } from 'jose';

/** A card as a buyer's browser spells it. */
export interface PlainCard {
  readonly number: string;
  readonly holder: string;
  readonly expMonth: string;
  readonly expYear: string;
  readonly securityCode: string;
  readonly brand?: string;
}

export const VISA: PlainCard = {
  number: '4242424242424242',
  holder: 'ANA SOUZA',
  expMonth: '08',
  expYear: '39',
  securityCode: '123',
};
export const MASTERCARD: PlainCard = { ...VISA, number: '5555555555554444' };
export const ELO: PlainCard = { ...VISA, number: '5067766783888311' };
export const AMEX: PlainCard = { ...VISA, number: '378282246310005', securityCode: '1234' };

/** The card number with these first 15 digits. */
export function withCheckDigit(first: string): string {
  const weights = [...first].map((digit, at) => Number(digit) * (at % 2 === 0 ? 2 : 1));
  const sum = weights.reduce((total, weight) => total + (weight > 9 ? weight - 9 : weight), 0);
  return `${first}${(10 - (sum % 10)) % 10}`;
}

/** Another number with the first six and the last four digits of `VISA`. */
export const SAME_ENDS = [...Array(1000).keys()]
  .map((middle) => `424242${String(middle).padStart(6, '0')}4242`)
  .find((number) => number !== VISA.number && withCheckDigit(number.slice(0, 15)) === number)!;

/** What the browser library encrypts. */
export function cardDocument(card: Partial<PlainCard>): string {
  return JSON.stringify({ cardData: card });
}

/** AES-256-CBC as contract row 4.1 has it, of any bytes. `isPadded: false` leaves the last block as it is. */
export function encryptAes(plain: string | Buffer, encryptionKey: string, isPadded = true): string {
  const cipher = createCipheriv('aes-256-cbc', encryptionKey, ivOf(encryptionKey)).setAutoPadding(isPadded);
  return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64');
}

/** The text that `encryptAes` encrypted. */
export function decryptAes(encrypted: string, encryptionKey: string): string {
  const decipher = createDecipheriv('aes-256-cbc', encryptionKey, ivOf(encryptionKey));
  return decipher.update(encrypted, 'base64', 'utf8') + decipher.final('utf8');
}

function ivOf(encryptionKey: string): string {
  return createHash('md5').update(encryptionKey).digest('hex').slice(0, 16);
}

/** A card as `encrypted` of createCard. */
export function encryptCard(card: Partial<PlainCard>, encryptionKey: string): string {
  return encryptAes(cardDocument(card), encryptionKey);
}

/** The JWE form of contract row 4.2, of any text. */
export async function encryptJwe(
  plain: string,
  jwk: object,
  header: { alg: string; enc: string } & Record<string, unknown> = { alg: 'RSA-OAEP-256', enc: 'A256GCM' },
): Promise<string> {
  const key = await importJWK({ ...jwk, alg: header.alg }, header.alg);
  return new CompactEncrypt(Buffer.from(plain)).setProtectedHeader(header).encrypt(key);
}

import creditCardType from 'credit-card-type';

/** The brands that the product accepts, in the words of the contract. */
export const CARD_BRANDS = [
  'visa',
  'mastercard',
  'elo',
  'hipercard',
  'diners',
  'discover',
  'jcb',
  'amex',
] as const;
export type CardBrand = (typeof CARD_BRANDS)[number];

/** A prefix, or the first and last of a range of prefixes of one length. */
type Prefix = number | readonly number[];

interface BrandRule {
  readonly brand: CardBrand | null;
  readonly prefixes: readonly Prefix[];
  readonly lengths: readonly number[];
  readonly securityCodeLength: number;
}

/**
 * The first rule that matches decides: Elo and Hipercard have ranges inside those of Visa, Mastercard, Diners and
 * Discover, and Troy (not accepted) has some inside those of Discover. The additions are ranges that credit-card-type
 * lacks.
 */
const RULES: readonly BrandRule[] = [
  rule(
    'elo',
    ['elo'],
    [
      [650057, 650081],
      [651680, 651704],
    ],
  ),
  rule('hipercard', ['hipercard', 'hiper']),
  rule(null, ['troy']),
  rule('mastercard', ['mastercard'], [503143]),
  rule('amex', ['american-express']),
  rule('diners', ['diners-club'], [3095]),
  rule('jcb', ['jcb']),
  rule('discover', ['discover']),
  rule('visa', ['visa']),
];

function rule(brand: CardBrand | null, libraryTypes: readonly string[], additions: Prefix[] = []): BrandRule {
  const types = libraryTypes.map((type) => creditCardType.getTypeInfo(type));
  return {
    brand,
    prefixes: [...types.flatMap((type) => type.patterns), ...additions],
    lengths: types[0]!.lengths,
    securityCodeLength: types[0]!.code.size,
  };
}

/** Whether the check digit is right (ISO/IEC 7812-1, annex B: Luhn). False for anything but digits. */
export function passesLuhn(number: string): boolean {
  if (!/^[0-9]+$/.test(number)) return false;
  let sum = 0;
  for (let i = 0; i < number.length; i += 1) {
    const digit = number.charCodeAt(number.length - 1 - i) - 48;
    const weighted = i % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** The brand that the leading digits show; null for a brand that is not accepted (Maestro, UnionPay, Troy …). */
export function detectBrand(number: string): CardBrand | null {
  if (!/^[0-9]+$/.test(number)) return null;
  return RULES.find(({ prefixes }) => prefixes.some((prefix) => startsWith(number, prefix)))?.brand ?? null;
}

function startsWith(number: string, prefix: Prefix): boolean {
  const [first, last] = typeof prefix === 'number' ? [prefix, prefix] : [prefix[0]!, prefix[1]!];
  const length = String(first).length;
  const leading = Number(number.slice(0, length));
  return number.length >= length && leading >= first && leading <= last;
}

/** Whether numbers of this brand can have this length. */
export function isValidLength(number: string, brand: CardBrand): boolean {
  return ruleOf(brand).lengths.includes(number.length);
}

/** Digits of the security code: 4 for amex, else 3. */
export function securityCodeLength(brand: CardBrand): number {
  return ruleOf(brand).securityCodeLength;
}

/** Whether the network of this brand issues tokens that replace the number. */
export function hasNetworkToken(brand: CardBrand): boolean {
  return brand === 'visa' || brand === 'mastercard';
}

function ruleOf(brand: CardBrand): BrandRule {
  return RULES.find((candidate) => candidate.brand === brand)!;
}

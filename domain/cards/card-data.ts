import { type CardBrand, detectBrand, isValidLength, passesLuhn, securityCodeLength } from './card-number.ts';

/** A card as the encrypted document has it, before validation. */
export interface CardInput {
  readonly number?: unknown;
  readonly holder?: unknown;
  readonly expMonth?: unknown;
  readonly expYear?: unknown;
  readonly securityCode?: unknown;
}

/** A card that passed `validateCard`: expiry as `MM` and `YY`. */
export interface CardData {
  readonly number: string;
  readonly holder: string;
  readonly expMonth: string;
  readonly expYear: string;
  readonly securityCode: string;
  readonly brand: CardBrand;
}

/** What is wrong with one field. The message never contains the value. */
export interface CardViolation {
  readonly field: keyof CardInput;
  readonly message: string;
}

const HOLDER_MAX_CHARACTERS = 191;

/**
 * Everything wrong with a card (contract row 4.4), in the order of its fields; empty when it can be stored.
 * `today` is the merchant's day, `YYYY-MM-DD`: a card is good through the last day of its month.
 */
export function validateCard(card: CardInput, today: string): CardViolation[] {
  const brand = typeof card.number === 'string' ? detectBrand(card.number) : null;
  return [
    ...violation('number', numberProblem(card.number, brand)),
    ...violation('holder', holderProblem(card.holder)),
    ...expiryProblems(card, today),
    ...violation('securityCode', securityCodeProblem(card.securityCode, brand)),
  ];
}

/** The card in the form in which it is stored. Throws a TypeError for a card that `validateCard` does not accept. */
export function cardDataOf(card: CardInput): CardData {
  const { number, holder, securityCode } = card;
  const month = monthOf(card.expMonth);
  const year = yearOf(card.expYear);
  const brand = typeof number === 'string' ? detectBrand(number) : null;
  if (typeof number !== 'string' || brand === null || typeof holder !== 'string') throw invalidCard();
  if (typeof securityCode !== 'string' || month === null || year === null) throw invalidCard();
  return {
    number,
    holder: holder.trim(),
    expMonth: twoDigits(month),
    expYear: twoDigits(year % 100),
    securityCode,
    brand,
  };
}

/** Whether a card with this expiry (`MM`, `YY`) has expired on the merchant's day `YYYY-MM-DD`. */
function isExpired(expMonth: string, expYear: string, today: string): boolean {
  return `20${expYear}-${expMonth}` < today.slice(0, 7);
}

function numberProblem(value: unknown, brand: CardBrand | null): string | null {
  if (typeof value !== 'string' || value === '') return 'The card number is required, as a string of digits.';
  if (!/^[0-9]{12,19}$/.test(value)) return 'The card number must be 12 to 19 digits, without separators.';
  if (!passesLuhn(value)) return 'The card number is not valid: its check digit is wrong.';
  if (brand === null) return 'The card is of a brand that is not accepted.';
  return isValidLength(value, brand) ? null : 'The card number does not have the length of its brand.';
}

function holderProblem(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return 'The name of the card holder is required.';
  if (value.length > HOLDER_MAX_CHARACTERS) {
    return `The name of the card holder must not exceed ${HOLDER_MAX_CHARACTERS} characters.`;
  }
  const printable = !/\p{Cc}/u.test(value) && value.isWellFormed();
  return printable ? null : 'The name of the card holder must not contain control characters.';
}

function securityCodeProblem(value: unknown, brand: CardBrand | null): string | null {
  if (typeof value !== 'string' || value === '')
    return 'The security code is required, as a string of digits.';
  const lengths = brand === null ? [3, 4] : [securityCodeLength(brand)];
  if (/^[0-9]+$/.test(value) && lengths.includes(value.length)) return null;
  return `The security code must be ${lengths.join(' or ')} digits.`;
}

/** The month is wrong if the card expired this year, the year if it expired earlier. */
function expiryProblems(card: CardInput, today: string): CardViolation[] {
  const month = monthOf(card.expMonth);
  const year = yearOf(card.expYear);
  const malformed = [
    ...violation('expMonth', month === null ? 'The expiry month must be 01 to 12.' : null),
    ...violation(
      'expYear',
      year === null ? 'The expiry year must have two digits, or be from 2000 to 2099.' : null,
    ),
  ];
  if (month === null || year === null) return malformed;
  if (!isExpired(twoDigits(month), twoDigits(year % 100), today)) return [];
  const field = year < Number(today.slice(0, 4)) ? 'expYear' : 'expMonth';
  return violation(field, 'The card has expired.');
}

function monthOf(value: unknown): number | null {
  const month = /^[0-9]{1,2}$/.test(textOf(value)) ? Number(value) : 0;
  return month >= 1 && month <= 12 ? month : null;
}

function yearOf(value: unknown): number | null {
  return /^(20)?[0-9]{2}$/.test(textOf(value)) ? 2000 + (Number(value) % 100) : null;
}

/** Some clients send the expiry as integers. */
function textOf(value: unknown): string {
  return typeof value === 'string' || Number.isInteger(value) ? String(value) : '';
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function violation(field: keyof CardInput, message: string | null): CardViolation[] {
  return message === null ? [] : [{ field, message }];
}

function invalidCard(): TypeError {
  return new TypeError('The card was not validated.');
}

import type { CardField, CardProblem, CardProblemCode } from './card-error.ts';
import { type CardHolder, cardHolderProblems, textOf } from './card-holder.ts';

/** The brands that the API accepts. It always detects the brand from the number. */
export type CardBrand = 'visa' | 'mastercard' | 'elo' | 'hipercard' | 'diners' | 'discover' | 'jcb' | 'amex';

/** A card as a buyer typed it. The number can have spaces and dashes, and the year two or four digits. */
export interface Card {
  readonly number: string;
  readonly holder: string;
  readonly expMonth: string | number;
  readonly expYear: string | number;
  readonly securityCode: string;
  /** Optional, included without a check. */
  readonly brand?: CardBrand;
  /** Optional, included next to the card. */
  readonly cardHolder?: CardHolder;
}

const HOLDER_MAX_CHARACTERS = 191;
const SAO_PAULO_OFFSET_MS = 3 * 3_600_000;

/**
 * The problems of a card, in the order of its fields; empty if it can be encrypted. The service checks the card again,
 * and also that the brand is accepted.
 */
export function validateCard(card: Card): CardProblem[] {
  const number = digitsOf(card.number);
  return [
    ...numberProblems(number),
    ...holderProblems(textOf(card.holder)),
    ...expiryProblems(textOf(card.expMonth), textOf(card.expYear)),
    ...securityCodeProblems(textOf(card.securityCode), isAmex(number)),
    ...cardHolderProblems(card.cardHolder),
  ];
}

/** The card in the form of the API, without `cardHolder`. Call `validateCard` first. */
export function normalized(card: Card): Record<string, string> {
  const brand = textOf(card.brand);
  return {
    number: digitsOf(card.number),
    holder: textOf(card.holder),
    expMonth: textOf(card.expMonth).padStart(2, '0'),
    expYear: textOf(card.expYear).slice(-2),
    securityCode: textOf(card.securityCode),
    ...(brand === '' ? {} : { brand }),
  };
}

function numberProblems(number: string): CardProblem[] {
  if (number === '') return [problem('number', 'required', 'Enter the card number.')];
  if (!/^[0-9]+$/.test(number))
    return [problem('number', 'invalid', 'The card number must have only digits.')];
  const isLong = isAmex(number) ? number.length === 15 : number.length >= 12 && number.length <= 19;
  if (!isLong) return [problem('number', 'length', 'The card number has too few or too many digits.')];
  if (passesLuhn(number)) return [];
  return [problem('number', 'check_digit', 'The card number is not valid: please check its digits.')];
}

function holderProblems(holder: string): CardProblem[] {
  if (holder === '') return [problem('holder', 'required', 'Enter the name that is printed on the card.')];
  if (holder.length > HOLDER_MAX_CHARACTERS)
    return [problem('holder', 'length', `The name has at most ${HOLDER_MAX_CHARACTERS} characters.`)];
  if (!/\p{Cc}/u.test(holder)) return [];
  return [problem('holder', 'invalid', 'The name must not contain control characters.')];
}

function expiryProblems(month: string, year: string): CardProblem[] {
  const problems: CardProblem[] = [];
  if (month === '') problems.push(problem('expMonth', 'required', 'Enter the month of expiry.'));
  else if (!/^(0?[1-9]|1[0-2])$/.test(month))
    problems.push(problem('expMonth', 'invalid', 'The month of expiry is 01 to 12.'));
  if (year === '') problems.push(problem('expYear', 'required', 'Enter the year of expiry.'));
  else if (!/^(20)?[0-9]{2}$/.test(year))
    problems.push(problem('expYear', 'invalid', 'The year of expiry has two digits, or four.'));
  if (problems.length > 0) return problems;
  const [thisYear = '', thisMonth = ''] = saoPauloMonth();
  const fullYear = `20${year.slice(-2)}`;
  if (fullYear < thisYear) return [problem('expYear', 'expired', 'The card has expired.')];
  if (fullYear === thisYear && month.padStart(2, '0') < thisMonth)
    return [problem('expMonth', 'expired', 'The card has expired.')];
  return [];
}

function securityCodeProblems(code: string, isOfAmex: boolean): CardProblem[] {
  if (code === '') return [problem('securityCode', 'required', 'Enter the security code.')];
  const length = isOfAmex ? 4 : 3;
  if (/^[0-9]+$/.test(code) && code.length === length) return [];
  return [problem('securityCode', 'invalid', `The security code has ${length} digits.`)];
}

/** Luhn's check digit (ISO/IEC 7812-1, annex B). */
function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, i) => {
    const weighted = Number(digit) * (1 + (i % 2));
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}

function isAmex(number: string): boolean {
  return /^3[47]/.test(number);
}

/** Current year and month in São Paulo (UTC-3, without summer time). A card is valid until the end of its month. */
function saoPauloMonth(): string[] {
  return new Date(Date.now() - SAO_PAULO_OFFSET_MS).toISOString().slice(0, 7).split('-');
}

function digitsOf(value: unknown): string {
  return textOf(value).replaceAll(/[\s-]/g, '');
}

function problem(field: CardField, code: CardProblemCode, message: string): CardProblem {
  return { field, code, message };
}

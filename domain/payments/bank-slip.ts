import { addDays, daysBetween, nextBusinessDay } from '../business-days.ts';
import { endOfMerchantDay, isCalendarDate } from '../local-time.ts';
import { isCentavos } from '../money.ts';

/** The contents of the barcode of a boleto. FEBRABAN, "Especificações Técnicas para Confecção de Boleto". */
export interface BankSlip {
  /** COMPE code of the bank that collects, three digits. */
  readonly bank: string;
  /** `YYYY-MM-DD`. Null in a boleto that is due when it is presented. */
  readonly dueDate: string | null;
  /** 0 leaves the amount to the payer. */
  readonly amount_centavos: number;
  /** 25 digits whose meaning the bank defines. */
  readonly freeField: string;
}

const REAL = '9';
/** Ten digits. */
const MAX_AMOUNT_centavos = 9_999_999_999;

/** The day with the due factor 1000, and how many factors there are (1000 to 9999) before they begin again. */
const FIRST_FACTOR_DAY = '2000-07-03';
const FIRST_FACTOR = 1000;
const FACTORS = 9000;
const NO_FACTOR = '0000';
/** A boleto that has been overdue for longer is read as one that is due in the future. */
const MAX_DAYS_OVERDUE = 3000;

const MAX_DAYS_UNTIL_DUE = 365;
const DEFAULT_DAYS_UNTIL_DUE = 3;

/**
 * The barcode: 44 digits. Throws a RangeError if a field cannot be written, such as an amount of more than ten digits
 * or a due date before 2000-07-03.
 */
export function bankSlipBarcode({ bank, dueDate, amount_centavos, freeField }: BankSlip): string {
  if (!/^[0-9]{3}$/.test(bank)) throw new RangeError('The code of a bank is three digits.');
  if (!/^[0-9]{25}$/.test(freeField)) throw new RangeError('A free field is 25 digits.');
  if (!isCentavos(amount_centavos) || amount_centavos > MAX_AMOUNT_centavos)
    throw new RangeError('The amount of a boleto is at most ten digits of centavos.');
  const factor = dueDate === null ? NO_FACTOR : String(dueFactor(dueDate));
  const rest = factor + String(amount_centavos).padStart(10, '0') + freeField;
  return `${bank}${REAL}${barcodeCheckDigit(bank + REAL + rest)}${rest}`;
}

/**
 * Reads a barcode of 44 digits. Null if it is not the barcode of a boleto, or its check digit is wrong. The same due
 * factor recurs every 9,000 days: the due date is the first such day that is not more than 3,000 days before `today`.
 */
export function readBarcode(barcode: string, today: string): BankSlip | null {
  if (!/^[0-9]{3}9[0-9]{40}$/.test(barcode)) return null;
  const factor = barcode.slice(5, 9);
  if (barcode[4] !== barcodeCheckDigit(withoutCheckDigit(barcode))) return null;
  if (factor !== NO_FACTOR && Number(factor) < FIRST_FACTOR) return null;
  return {
    bank: barcode.slice(0, 3),
    dueDate: factor === NO_FACTOR ? null : dayOfFactor(Number(factor), today),
    amount_centavos: Number(barcode.slice(9, 19)),
    freeField: barcode.slice(19),
  };
}

/**
 * The line that a person types: the 47 digits of a barcode in another order, with a check digit for each of three
 * fields.
 */
export function digitableLine(barcode: string): string {
  const freeField = barcode.slice(19);
  const fields = [barcode.slice(0, 4) + freeField.slice(0, 5), freeField.slice(5, 15), freeField.slice(15)];
  return `${fields.map((field) => field + mod10(field)).join('')}${barcode[4]}${barcode.slice(5, 19)}`;
}

/** The line as it is printed: `00190.50095 40144.816069 06809.350314 3 37370000000100`. */
export function printedLine(line: string): string {
  return line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');
}

/** The due factor of a day: 1000 to 9999, then 1000 again (2025-02-22). Throws a RangeError before 2000-07-03. */
function dueFactor(day: string): number {
  const days = daysBetween(FIRST_FACTOR_DAY, day);
  if (days < 0) throw new RangeError('Due factors begin on 2000-07-03.');
  return FIRST_FACTOR + (days % FACTORS);
}

/** The first day with that factor that is not more than `MAX_DAYS_OVERDUE` before today. */
function dayOfFactor(factor: number, today: string): string {
  const first = addDays(FIRST_FACTOR_DAY, factor - FIRST_FACTOR);
  const rounds = Math.ceil((daysBetween(first, today) - MAX_DAYS_OVERDUE) / FACTORS);
  return addDays(first, Math.max(rounds, 0) * FACTORS);
}

/** Whether a boleto that is made today may be due on that day: today to 365 days ahead (contract row 13.7). */
export function mayBeDueOn(day: string, today: string): boolean {
  return isCalendarDate(day) && day >= today && daysBetween(today, day) <= MAX_DAYS_UNTIL_DUE;
}

/** The due date of a boleto for which the merchant gave none. */
export function defaultDueDate(today: string): string {
  return addDays(today, DEFAULT_DAYS_UNTIL_DUE);
}

/**
 * The instant at which an unpaid boleto expires (exclusive): the end of the first business day after its due date. If
 * it is due on a day that is not a business day, banks accept it until then (contract row 13.7).
 */
export function bankSlipExpiry(dueDate: string): Date {
  return endOfMerchantDay(nextBusinessDay(dueDate));
}

function withoutCheckDigit(barcode: string): string {
  return barcode.slice(0, 4) + barcode.slice(5);
}

/** Modulo 11 over the 43 other digits, weights 2 to 9 from the right. A result of 0, 10 or 11 becomes 1. */
function barcodeCheckDigit(digits: string): string {
  const sum = sumFromRight(digits, (digit, place) => digit * (2 + (place % 8)));
  const rest = 11 - (sum % 11);
  return String(rest > 9 ? 1 : rest);
}

/** Modulo 10: weights 2, 1, 2, 1 … from the right; the digits of each product are added up. */
function mod10(digits: string): string {
  const sum = sumFromRight(digits, (digit, place) => {
    const product = digit * (place % 2 === 0 ? 2 : 1);
    return product > 9 ? product - 9 : product;
  });
  return String((10 - (sum % 10)) % 10);
}

/** The sum over all digits; place 0 is the last digit. */
function sumFromRight(digits: string, value: (digit: number, place: number) => number): number {
  return [...digits].reduce((sum, digit, at) => sum + value(Number(digit), digits.length - 1 - at), 0);
}

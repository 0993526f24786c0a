import { isValidCnpj, isValidCpf } from '../../domain/documents.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/durations.ts';
import { isUuid } from '../../domain/identifiers.ts';
import { type InterestTable, MAX_INSTALLMENTS } from '../../domain/installments.ts';
import { isCalendarDate } from '../../domain/local-time.ts';
import { API_KEY_PREFIXES } from '../../domain/merchants/api-key.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import { PERMISSIONS, PLANS } from '../../domain/merchants/plans.ts';
import { isStorableText } from '../../domain/text.ts';
import { destinationRuleProblem } from '../../services/webhooks/destination-rules.ts';
import { secretBytes } from '../../services/webhooks/signature.ts';

/** A wrong argument. The message is one sentence that names it. */
export class UsageError extends Error {}

/** Reads one value. Throws `UsageError` naming the flag and what was typed. */
export type Reader<Value> = (text: string, flag: string) => Value;

const MAX_NAME_CHARACTERS = 120;
const MAX_NOTE_CHARACTERS = 500;
const MAX_RATE_LIMIT = 1_000_000;
const MAX_RETRIES = 50;
const MAX_RETRY_MS = 30 * DAY_MS;
const MAX_DUNNING_DAYS = 60;
/** As the URL parser writes them. */
const LOOPBACK_HOST = /^(localhost|127(\.[0-9]+){3}|\[::1\])$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
};

export const readName = printable(MAX_NAME_CHARACTERS);
export const readNote = printable(MAX_NOTE_CHARACTERS);

/** A CPF or CNPJ, plain or formatted (`11.222.333/0001-81`). Returns it plain. */
export const readDocument: Reader<string> = (text, flag) => {
  const plain = text.replaceAll(/[./-]/g, '').toUpperCase();
  if (isValidCpf(plain) || isValidCnpj(plain)) return plain;
  throw new UsageError(`${flag} must be a CPF or CNPJ with correct check digits, not ${text}.`);
};

export const readMcc: Reader<string> = (text, flag) => {
  if (/^[0-9]{4}$/.test(text)) return text;
  throw new UsageError(`${flag} must be four digits each, not ${text || 'empty'}.`);
};

export const readMethod: Reader<PaymentMethod> = oneOf(PAYMENT_METHODS);
export const readPlan: Reader<string> = oneOf(Object.keys(PLANS));
export const readPermission: Reader<string> = oneOf(PERMISSIONS);

export const readId: Reader<string> = (text, flag) => {
  if (isUuid(text)) return text.toLowerCase();
  throw new UsageError(`${flag} must be an id (a UUID), not ${text || 'empty'}.`);
};

export const readDay: Reader<string> = (text, flag) => {
  if (isCalendarDate(text)) return text;
  throw new UsageError(`${flag} must be a day such as 2026-12-24, not ${text || 'empty'}.`);
};

export const readPath: Reader<string> = (text, flag) => {
  if (text !== '') return text;
  throw new UsageError(`${flag} must be the path of a file.`);
};

export const readRateLimit: Reader<number> = (text, flag) => wholeNumber(text, flag, 1, MAX_RATE_LIMIT);

/** Delays such as `1s`, `5m` and `2h`, in milliseconds. */
export function readRetries(texts: readonly string[], flag: string): readonly number[] {
  if (texts.length > MAX_RETRIES) throw new UsageError(`${flag} takes at most ${MAX_RETRIES} retries.`);
  return texts.map((text) => {
    const [, count, unit] = /^([0-9]{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
    const duration_ms = Number(count) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
    if (duration_ms >= 1 && duration_ms <= MAX_RETRY_MS) return duration_ms;
    throw new UsageError(
      `${flag} must be delays such as 500ms, 5s, 30m, 2h or 1d, up to 30d, not ${text || 'empty'}.`,
    );
  });
}

/** Days after the due date, ascending. */
export function readDunningDays(texts: readonly string[], flag: string): readonly number[] {
  const days = texts.map((text) => wholeNumber(text, flag, 1, MAX_DUNNING_DAYS));
  if (days.every((day, i) => i === 0 || day > days[i - 1]!)) return days;
  throw new UsageError(`${flag} must be days in ascending order, not ${texts.join(',')}.`);
}

const RATE = /^([0-9]{1,2})=([0-9]{1,4})$/;

/** Interest such as `2=199`: 1.99 % of the amount for 2 installments. */
export function readInterest(texts: readonly string[], flag: string): InterestTable {
  const rates = texts.map((text) => {
    const [, installments, basisPoints] = RATE.exec(text) ?? [];
    const isCount = Number(installments) >= 2 && Number(installments) <= MAX_INSTALLMENTS;
    if (isCount) return [Number(installments), Number(basisPoints)] as const;
    throw new UsageError(
      `${flag} must be rates in basis points by number of installments, such as 2=199,3=299, not ${text || 'empty'}.`,
    );
  });
  if (new Set(rates.map(([installments]) => installments)).size === rates.length)
    return Object.fromEntries(rates);
  throw new UsageError(`${flag} must have one rate for each number of installments, not ${texts.join(',')}.`);
}

/** A secret in the form of Standard Webhooks: `whsec_` and the base64 of 24 to 64 bytes. Errors do not repeat it. */
export const readSecret: Reader<string> = (text, flag) => {
  if (secretBytes(text) !== undefined) return text;
  throw new UsageError(`${flag} must be whsec_ followed by 24 to 64 bytes in base64.`);
};

/** An API key. Only its prefix is checked. Errors do not repeat it. */
export const readApiKey: Reader<string> = (text, flag) => {
  if (Object.values(API_KEY_PREFIXES).some((prefix) => text.startsWith(prefix))) return text;
  throw new UsageError(`${flag} must be an API key, which begins with pay_test_ or pay_live_.`);
};

/** A URL of a server on this machine. */
export const readLocalUrl: Reader<string> = (text, flag) => {
  const problem = destinationRuleProblem(text, { allowPrivate: true });
  if (problem !== undefined) throw new UsageError(`${flag} is not accepted: ${problem}`);
  if (LOOPBACK_HOST.test(new URL(text).hostname)) return text;
  throw new UsageError(
    `${flag} must be on this machine, such as http://localhost:4000/webhooks, not ${text}.`,
  );
};

/** An origin such as `http://127.0.0.1:3000`. */
export const readOrigin: Reader<string> = (text, flag) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new UsageError(`${flag} must be an address such as http://127.0.0.1:3000, not ${text || 'empty'}.`);
};

/** A value for a setting, or null to remove the setting. Commander has no null among the values of an option. */
export interface Setting<Value> {
  readonly value: Value | null;
}

/** Reads a value, or `default` or `none` to remove a setting. */
export function clearable<Value>(reader: Reader<Value>): Reader<Setting<Value>> {
  return (text, flag) => ({ value: isCleared(text) ? null : reader(text, flag) });
}

/** The same for values that are read together. */
export function clearableSequence<Value>(
  reader: (texts: readonly string[], flag: string) => Value,
): (texts: readonly string[], flag: string) => Setting<Value> {
  return (texts, flag) => ({
    value: texts.length === 1 && isCleared(texts[0]!) ? null : reader(texts, flag),
  });
}

const isCleared = (text: string): boolean => text === 'default' || text === 'none';

/** Refuses control characters, which would garble the lists and log lines that show the text. */
function printable(max_characters: number): Reader<string> {
  return (text, flag) => {
    const isPrintable = isStorableText(text) && !/\p{Cc}/u.test(text);
    if (isPrintable && text !== '' && [...text].length <= max_characters) return text;
    throw new UsageError(`${flag} must have 1 to ${max_characters} printable characters.`);
  };
}

function wholeNumber(text: string, flag: string, min: number, max: number): number {
  const number = Number(text);
  if (/^[0-9]+$/.test(text) && number >= min && number <= max) return number;
  throw new UsageError(`${flag} must be a whole number from ${min} to ${max}, not ${text || 'empty'}.`);
}

function oneOf<Value extends string>(known: readonly Value[]): Reader<Value> {
  return (text, flag) => {
    const value = known.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    throw new UsageError(`${flag} must be one of ${known.join(', ')}, not ${text || 'empty'}.`);
  };
}

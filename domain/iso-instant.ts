import { endOfMerchantDay, isCalendarDate, startOfMerchantDay, utcMicros } from './local-time.ts';

/**
 * The time range that a filter selects: one microsecond for an instant, or a whole day in São Paulo. The texts are
 * exact, for SQL. The dates are rounded to milliseconds so that they include the whole range.
 */
export interface TimeRange {
  readonly from: Date;
  readonly toExclusive: Date;
  readonly fromUtc: string;
  readonly toExclusiveUtc: string;
}

const INSTANT =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,9}))?)?(Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/i;
const HAS_SECONDS = /T\d\d:\d\d:\d\d/i;

/** Years 0001 to 9999 UTC: what both Postgres and four digits can hold. */
const FIRST_MICROS = BigInt(Date.parse('0001-01-01T00:00:00Z')) * 1000n;
const LAST_MICROS = BigInt(Date.parse('9999-12-31T23:59:59.999Z')) * 1000n + 999n;

/**
 * Reads a filter such as `created_from` or `created_to` (contract row 1.11): an ISO 8601 instant with `Z` or an offset,
 * or a calendar day in São Paulo, `YYYY-MM-DD`. Null for anything else, and for days that do not exist (`2024-02-30`).
 * A lower bound starts at `from`, an inclusive upper bound ends before `toExclusive`.
 */
export function parseInstantOrDay(text: string): TimeRange | null {
  if (isCalendarDate(text)) {
    return timeRange(toMicros(startOfMerchantDay(text)), toMicros(endOfMerchantDay(text)));
  }
  const micros = microsOf(text);
  return micros === null ? null : timeRange(micros, micros + 1n);
}

/** Whether a text is a `date-time` of RFC 3339 of the years 0001 to 9999 UTC. No leap seconds. */
export function isInstant(text: string): boolean {
  return HAS_SECONDS.test(text) && microsOf(text) !== null;
}

/** Microseconds since 1970 of an ISO 8601 instant; further digits are dropped. Null for any other text. */
export function microsOf(text: string): bigint | null {
  const match = INSTANT.exec(text);
  if (match === null || !isCalendarDate(match[1]!)) return null;
  const [, day, hour, minute, second = '00', fraction = '', zone] = match as unknown as string[];
  const whole = BigInt(Date.parse(`${day}T${hour}:${minute}:${second}${zone}`)) * 1000n;
  const micros = whole + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
  return micros < FIRST_MICROS || micros > LAST_MICROS ? null : micros;
}

/** Formats microseconds since 1970 as ISO 8601 UTC with six decimals. */
export function utcOfMicros(micros: bigint): string {
  const rest = ((micros % 1000n) + 1000n) % 1000n;
  return utcMicros(new Date(Number((micros - rest) / 1000n)), Number(rest));
}

function timeRange(from: bigint, to: bigint): TimeRange {
  const toExclusive = to > LAST_MICROS ? LAST_MICROS : to;
  return {
    from: new Date(Number(floorDivide(from, 1000n))),
    toExclusive: new Date(Number(-floorDivide(-toExclusive, 1000n))),
    fromUtc: utcOfMicros(from),
    toExclusiveUtc: utcOfMicros(toExclusive),
  };
}

function toMicros(date: Date): bigint {
  return BigInt(date.getTime()) * 1000n;
}

/** Rounds down below zero too, where bigint division rounds up. */
function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

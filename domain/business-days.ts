import { DAY_MS } from './durations.ts';
import { isCalendarDate } from './local-time.ts';

/**
 * Calendar days `YYYY-MM-DD`, and which of them are business days of Brazilian banks: not a weekend, and not a national
 * bank holiday. The functions throw a RangeError for a text that is not a calendar date.
 */

/** Holidays that fall on the same date every year. `since`: the first year of a holiday that was introduced later. */
const FIXED_HOLIDAYS: Readonly<Record<string, { readonly since?: number }>> = {
  '01-01': {},
  '04-21': {}, // Tiradentes
  '05-01': {},
  '09-07': {}, // Independence
  '10-12': { since: 1980 }, // Nossa Senhora Aparecida, Law 6,802/1980
  '11-02': {}, // All Souls
  '11-15': {}, // Republic
  '11-20': { since: 2024 }, // Zumbi and Black Awareness, Law 14,759/2023
  '12-25': {},
};

/**
 * Days from Easter Sunday to the movable bank holidays (CMN Resolution 4,880/2020): Carnival Monday and Tuesday,
 * Good Friday and Corpus Christi. Ash Wednesday and 31 December are business days.
 */
const EASTER_HOLIDAYS = [-48, -47, -2, 60];

/** The day `count` days after a day; before it for a negative count. */
export function addDays(day: string, count: number): string {
  return dayOfNumber(dayNumber(day) + count);
}

/** How many days `to` is after `from`; negative when it is before. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

function isBusinessDay(day: string): boolean {
  return !isWeekend(day) && !isBankHoliday(day);
}

/** The first business day after a day. */
export function nextBusinessDay(day: string): string {
  let next = addDays(day, 1);
  while (!isBusinessDay(next)) next = addDays(next, 1);
  return next;
}

/** Whether a day is a national bank holiday. Some fall on a weekend. */
function isBankHoliday(day: string): boolean {
  const number = dayNumber(day);
  const year = Number(day.slice(0, 4));
  const fixed = FIXED_HOLIDAYS[day.slice(5)];
  if (fixed !== undefined && year >= (fixed.since ?? 0)) return true;
  return EASTER_HOLIDAYS.includes(number - dayNumber(easterSunday(year)));
}

/** Easter Sunday of a year of the Gregorian calendar, by the algorithm of Oudin (1940). */
function easterSunday(year: number): string {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const lunarShift =
    century - Math.floor(century / 4) - Math.floor((century - Math.floor((century - 17) / 25)) / 3);
  const epact = (lunarShift + 19 * golden + 15) % 30;
  const hasLateMoon = epact === 29 || (epact === 28 && golden > 10);
  const fullMoon = hasLateMoon ? epact - 1 : epact;
  const weekday = (year + Math.floor(year / 4) + fullMoon + 2 - century + Math.floor(century / 4)) % 7;
  return addDays(`${String(year).padStart(4, '0')}-03-28`, fullMoon - weekday);
}

function isWeekend(day: string): boolean {
  // 1970-01-01 was a Thursday.
  const weekday = (((dayNumber(day) + 4) % 7) + 7) % 7;
  return weekday === 0 || weekday === 6;
}

/** Days since 1970-01-01. */
function dayNumber(day: string): number {
  if (!isCalendarDate(day)) throw new RangeError('Not a day of the calendar.');
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

/** The day that is `number` days after 1970-01-01. */
export function dayOfNumber(number: number): string {
  const day = new Date(number * DAY_MS).toISOString().slice(0, 10);
  if (!isCalendarDate(day)) throw new RangeError('Not a day of the calendar.');
  return day;
}

/** The dates of the contract, computed here a second time, without the calendar of the service. */

const DAY_MS = 86_400_000;
/** São Paulo has had no daylight saving time since 2019. */
const SAO_PAULO = '-03:00';
const BEHIND_UTC_MS = 3 * 3_600_000;

/** The merchant's day of an instant, `YYYY-MM-DD`. */
export function dayOf(at_ms: number): string {
  return new Date(at_ms - BEHIND_UTC_MS).toISOString().slice(0, 10);
}

/** The instant of a time of a merchant's day, such as `22:00`. */
export function instantOf(day: string, time: string): number {
  return Date.parse(`${day}T${time}:00${SAO_PAULO}`);
}

/** 06:00 of a merchant's day, when its billing steps run (contract row 13.25). */
export function stepAt(day: string): number {
  return instantOf(day, '06:00');
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days `to` is after `from`. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

export function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

/** The day of the month `anchor`, so many months after a day, or the last day of a shorter month (row 8.3). */
export function monthsAfter(day: string, months: number, anchor: number): string {
  const [year, month] = day.split('-').map(Number) as [number, number, number];
  const firstOfMonth = new Date(Date.UTC(year, month - 1 + months, 1));
  const lastDay = new Date(
    Date.UTC(firstOfMonth.getUTCFullYear(), firstOfMonth.getUTCMonth() + 1, 0),
  ).getUTCDate();
  return plusDays(firstOfMonth.toISOString().slice(0, 10), Math.min(anchor, lastDay) - 1);
}

/**
 * When a boleto or a Pix of a subscription expires: at the end of the next business day after its due date (row 13.7).
 */
export function expiryOf(dueOn: string): number {
  let day = plusDays(dueOn, 1);
  while (!isBusinessDay(day)) day = plusDays(day, 1);
  return instantOf(plusDays(day, 1), '00:00');
}

/** Carnival, Good Friday and Corpus Christi, in days from Easter. */
const MOVABLE = [-48, -47, -2, 60];
const FIXED_HOLIDAYS = [
  ...['01-01', '04-21', '05-01', '09-07', '10-12'],
  ...['11-02', '11-15', '11-20', '12-25'],
];

function isBusinessDay(day: string): boolean {
  const weekday = new Date(day).getUTCDay();
  const isHoliday = FIXED_HOLIDAYS.includes(day.slice(5)) || isMovableHoliday(day);
  return weekday !== 0 && weekday !== 6 && !isHoliday;
}

function isMovableHoliday(day: string): boolean {
  const easter = easterSunday(Number(day.slice(0, 4)));
  return MOVABLE.some((days) => plusDays(easter, days) === day);
}

/** The Sunday after the first full moon of spring, by the rule of Gauss. It holds from 1900 to 2099. */
function easterSunday(year: number): string {
  const moon = (19 * (year % 19) + 24) % 30;
  const weekday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7;
  const isWeekEarlier = weekday === 6 && (moon === 29 || (moon === 28 && year % 19 > 10));
  return plusDays(`${year}-03-22`, moon + weekday - (isWeekEarlier ? 7 : 0));
}

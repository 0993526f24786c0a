/** The dates of the contract, computed here a second time, without the calendar of the service. */

const DAY_MS = 86_400_000;
/** São Paulo has had no daylight saving time since 2019. */
const SAO_PAULO = '-03:00';
const BEHIND_UTC_MS = 3 * 3_600_000;

/** The merchant's day of an instant, `YYYY-MM-DD`. */
export function dayOf(at_ms: number): string {
  return new Date(at_ms - BEHIND_UTC_MS).toISOString().slice(0, 10);
}

/** 06:00 of a merchant's day, when its billing steps run (contract row 13.25). */
export function stepAt(day: string): number {
  return Date.parse(`${day}T06:00:00${SAO_PAULO}`);
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The billing date of a cycle: the day `anchor` of its month, or the last day of a shorter month (row 8.3). */
export function billingDay(first: string, months: number, anchor: number, cycle: number): string {
  if (cycle === 1) return first;
  const [year, month] = first.split('-').map(Number) as [number, number];
  const firstOfMonth = new Date(Date.UTC(year, month - 1 + months * (cycle - 1), 1));
  const lastDay = new Date(
    Date.UTC(firstOfMonth.getUTCFullYear(), firstOfMonth.getUTCMonth() + 1, 0),
  ).getUTCDate();
  return plusDays(firstOfMonth.toISOString().slice(0, 10), Math.min(anchor, lastDay) - 1);
}

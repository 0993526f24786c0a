import { dayOf, plusDays } from './calendar.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** When a new subscription begins: some have a trial, some start later. `offeredDays`: the trial of its offer. */
export function randomDates(world: World, offeredDays: number) {
  const { random, now, theme } = world;
  const start = random.oneIn(theme.waitsOneIn + 1) ? randomStart(world) : undefined;
  const trial = randomTrial(world, offeredDays);
  const bestDay = random.oneIn(3) ? random.pick([1, 5, 15, 28, 29, 30, 31]) : undefined;
  const firstDay = plusDays(start?.day ?? dayOf(now), trial.days);
  return {
    firstDay,
    isChargedNow: firstDay <= dayOf(now),
    trialDays: trial.days,
    /** What the record shows, if the request says it. */
    startAt: start?.at,
    anchor: bestDay ?? Number(firstDay.slice(8)),
    hasChosenDay: bestDay !== undefined,
    fields: {
      ...trial.field,
      ...(start !== undefined && { start_at: start.sent }),
      ...(bestDay !== undefined && { best_charge_day: bestDay }),
    },
  };
}

/** The trial of the request replaces that of the offer. */
function randomTrial({ random, theme }: World, offeredDays: number) {
  const days = random.oneIn(theme.waitsOneIn) ? random.integer(1, 40) : 0;
  const isLeftOut = random.oneIn(2) && (offeredDays > 0 || days === 0);
  return isLeftOut ? { days: offeredDays, field: {} } : { days, field: { trial_days: days } };
}

/** A later day, or an instant: of a later day, or of today. */
function randomStart({ random, now }: World) {
  if (random.oneIn(2)) {
    const day = plusDays(dayOf(now), random.integer(1, 40));
    return { sent: day, day, at: Date.parse(`${day}T00:00:00-03:00`) };
  }
  const days = random.oneIn(2) ? 0 : random.integer(1, 40);
  const at = now + days * DAY_MS + random.integer(1, 23) * HOUR_MS + random.integer(0, 59) * MINUTE_MS;
  const sent = random.oneIn(2) ? new Date(at).toISOString() : atOffset(at, random.pick([-3, 9]));
  return { sent, day: dayOf(at), at };
}

/** The time of an instant where the clocks are some hours ahead of UTC, with that offset. */
function atOffset(at: number, hours: number): string {
  const offset = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
  return new Date(at + hours * HOUR_MS).toISOString().replace('Z', offset);
}

import { firstDue } from '../model/due-steps.ts';
import type { World } from '../world.ts';
import { type Action, randomFault } from './action.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Before a step that is due: a mandate can be requested before it and authorized after it. */
const SHORTLY_MS = 20 * MINUTE_MS;
/** To the next step that is due. */
const MAX_WAIT_DAYS = 400;

export const advance: Action = {
  name: 'advance',
  weight: 8,
  async run(world) {
    const to = later(world);
    const fault = randomFault(world);
    await world.advance(to, fault);
    return `${new Date(to).toISOString()} ${fault}`;
  },
};

/** No worker runs for some time, and then two run at once. What banks did meanwhile arrives before or after that. */
export const outage: Action = {
  name: 'outage',
  weight: 4,
  async run(world) {
    const to = later(world);
    const fault = randomFault(world);
    const first = world.random.pick(['service', 'bank'] as const);
    await world.jump(to, fault, first);
    return `${new Date(to).toISOString()} ${first} first, ${fault}`;
  },
};

export const work: Action = {
  name: 'work',
  weight: 2,
  async run(world) {
    const fault = randomFault(world);
    await world.work(fault);
    // A charge that was not sent, because the worker died, is made again.
    while ((await world.settle()) > 0) await world.work('none');
    return fault;
  },
};

export const reconcile: Action = {
  name: 'reconcile',
  weight: 3,
  async run(world) {
    await world.reconcile();
    return '';
  },
};

/** A random time, often soon after the next step that is due: not so close to a billing step that a second matters. */
function later(world: World): number {
  const { models, now, random, theme } = world;
  const due = firstDue(models, world);
  const isDueSoon = now < due && due < now + MAX_WAIT_DAYS * DAY_MS;
  if (isDueSoon && random.oneIn(2)) {
    const soon = due + random.pick([-SHORTLY_MS, 15 * MINUTE_MS, 5 * HOUR_MS, 20 * HOUR_MS, 2 * DAY_MS]);
    if (soon > now + MINUTE_MS) return soon;
  }
  const ahead_ms = random.oneIn(4)
    ? random.integer(1, 40) * HOUR_MS
    : random.integer(1, random.pick([4, theme.maxDays])) * DAY_MS + random.integer(-12, 12) * HOUR_MS;
  const minute = Math.floor((now + Math.max(HOUR_MS, ahead_ms)) / MINUTE_MS) * MINUTE_MS;
  return minute + (new Date(minute).getUTCMinutes() > 50 ? 15 * MINUTE_MS : 0);
}

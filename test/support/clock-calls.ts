import assert from 'node:assert/strict';
import type { Json, TestService } from './service.ts';
import type { Shop } from './shop.ts';

export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/durations.ts';

/** The time of the shop's clock, in ms. */
export async function clockNow(shop: Shop): Promise<number> {
  return Date.parse((await shop.get('/sandbox/clock')).now);
}

/** Moves the shop's clock and fails unless it arrives. Returns the body of the answer. */
export async function advance(shop: Shop, move: object): Promise<Json> {
  const { status, body, text } = await shop.post('/sandbox/clock/advance', move);
  assert.equal(status, 200, text);
  assert.deepEqual([body.status, body.target], ['idle', null]);
  return body;
}

/** Moves the shop's clock by this much. */
export async function advanceBy(shop: Shop, ms: number): Promise<Json> {
  return advance(shop, { to: new Date((await clockNow(shop)) + ms).toISOString() });
}

/** Names of the events in the answer of an advance, in order. */
export function eventNames(advanced: Json): string[] {
  return advanced.events.map(({ event }: Json) => event);
}

/** Names of the steps in the answer of an advance, in order. */
export function stepNames(advanced: Json): string[] {
  return advanced.steps.map(({ step }: Json) => step);
}

/** Replaces the acquirer's answers about its next due time by those of `ask`, until `undo`. */
export function interceptNextDue(
  { control }: TestService,
  ask: (real: () => Promise<Date | null>, account: string) => Promise<Date | null>,
) {
  const { nextDue } = control;
  control.nextDue = (account) => ask(() => nextDue(account), account);
  return {
    undo: () => {
      control.nextDue = nextDue;
    },
  };
}

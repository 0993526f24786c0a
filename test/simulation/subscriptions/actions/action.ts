import type { Fault } from '../faults.ts';
import { isFinished } from '../model/state.ts';
import type { Simulated } from '../simulated.ts';
import type { World } from '../world.ts';

/** Something that a merchant, a payer, the acquirer or time does, in the service and in the model. */
export interface Action {
  readonly name: string;
  /** How often it is chosen, compared with the others, unless the theme of the history says otherwise. */
  readonly weight: number;
  /** Returns what it did, for the log of the history; null if it is not possible now. */
  run(world: World): Promise<string | null>;
}

/**
 * None while an upgrade has no outcome: the order in which two outcomes are found out does not matter, but events show
 * it.
 */
export function randomFault({ random, subscriptions, theme }: World): Fault {
  const fault = random.pick(theme.faults);
  return subscriptions.some(({ model }) => model.pendingUpgrade !== null) ? 'none' : fault;
}

/** One of the merchant's subscriptions, mostly one that has not ended; undefined if there is none. */
export function anySubscription({ random, subscriptions }: World): Simulated | undefined {
  const live = subscriptions.filter(({ model }) => !isFinished(model));
  const all = live.length === 0 || random.oneIn(10) ? subscriptions : live;
  return all.length === 0 ? undefined : random.pick(all);
}

/** One of the subscriptions that fit, or of all if none does; undefined if there is none. */
export function preferably(world: World, fits: (subscription: Simulated) => boolean): Simulated | undefined {
  const fitting = world.subscriptions.filter(fits);
  return fitting.length > 0 ? world.random.pick(fitting) : anySubscription(world);
}

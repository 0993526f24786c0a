import type { Fault } from '../faults.ts';
import type { Simulated, World } from '../world.ts';

/** Something that a merchant, a payer, the acquirer or time does, in the service and in the model. */
export interface Action {
  readonly name: string;
  /** How often it is chosen, compared with the others. */
  readonly weight: number;
  /** Returns what it did, for the log of the history; null if it is not possible now. */
  run(world: World): Promise<string | null>;
}

const FAULTS: readonly Fault[] = ['none', 'none', 'none', 'lost_answer', 'killed_before', 'killed_after'];

export function randomFault({ random }: World): Fault {
  return random.pick(FAULTS);
}

/** One of the merchant's subscriptions; undefined if there is none. */
export function anySubscription({ random, subscriptions }: World): Simulated | undefined {
  return subscriptions.length === 0 ? undefined : random.pick(subscriptions);
}

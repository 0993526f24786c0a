import { SeededRandom } from '../../../support/seeded-random.ts';
import { cancel, type PureAction, passTime, pay, reactivate, refund, stopCharge } from './actions.ts';
import { changeMeans } from './change-means.ts';
import { changePlan } from './change-plan.ts';
import { assertSame } from './compare.ts';
import { decideMandate, endMandate } from './mandate.ts';
import { Pair } from './pair.ts';
import { assertRules } from './rules.ts';

const MIN_STEPS = 5;
const MAX_STEPS = 40;
const MINUTE_MS = 60_000;

/** How often each action is drawn. */
const WEIGHTS: readonly (readonly [number, PureAction])[] = [
  [8, passTime],
  [5, changePlan],
  [3, changeMeans],
  [2, pay],
  [2, stopCharge],
  [1, cancel],
  [1, reactivate],
  [1, refund],
  [1, endMandate],
];
const ACTIONS = WEIGHTS.flatMap(([weight, action]) => Array<PureAction>(weight).fill(action));

/** A history in which the engine and the model differ. The cause has the difference. */
export class FailedPureHistory extends Error {
  readonly seed: number;

  constructor(seed: number, log: readonly string[], cause: unknown) {
    super(`the history of SEED=${seed} fails after:\n  ${log.join('\n  ')}`, { cause });
    this.seed = seed;
  }
}

/**
 * Makes a random history of one subscription in the engine and in the model, and compares both after each step. Returns
 * what happened. Throws a `FailedPureHistory`.
 */
export function runPureHistory(seed: number): readonly string[] {
  const random = new SeededRandom(seed);
  const log: string[] = [];
  try {
    const pair = new Pair(random);
    const { decisions: _, ...created } = pair.drawn;
    const step = (what: string | null) => {
      if (what === null) return;
      log.push(what);
      assertSame(pair);
      assertRules(pair.engine);
    };
    step(`create ${new Date(pair.now).toISOString()} ${JSON.stringify(created)}`);
    pair.advance(pair.now + 5 * MINUTE_MS);
    step(decideMandate(pair));
    const length = random.integer(MIN_STEPS, MAX_STEPS);
    for (let i = 0; i < length; i++) step(random.pick(ACTIONS)(pair));
    return log;
  } catch (error) {
    throw new FailedPureHistory(seed, log, error);
  }
}

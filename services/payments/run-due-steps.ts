import { findMerchant } from '../../db/merchants/merchants.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Acquirer } from '../../gateway/acquirer.ts';
import type { Deps } from '../deps.ts';
import { reconcileOperationsOf } from './reconcile-operations.ts';
import { type BegunOperation, runOperations } from './run-operations.ts';

/** A batch of due steps, which are committed. */
export interface TakenBatch {
  readonly steps: number;
  /** What is sent to the acquirer for them. */
  readonly begun: readonly BegunOperation[];
  /** False if nothing else was due. */
  readonly mayHaveMore: boolean;
}

/** Takes some steps of a merchant that are due, in one transaction. */
export type TakeBatch = (deps: Deps, merchant: Merchant) => Promise<TakenBatch>;

/**
 * Runs the steps of one merchant that are due, in batches. A batch begins when half of the operations of the last one are
 * answered and all of the one before it have ended, so that at most one and a half batches are sent at the same time. If the
 * process dies before the acquirer has answered, the reconciler settles the operations. Returns how many steps.
 */
async function runDueSteps(deps: Deps, merchant: Merchant, takeBatch: TakeBatch): Promise<number> {
  let done = 0;
  let before = Promise.resolve();
  let latest = Promise.resolve();
  try {
    for (;;) {
      const { steps, begun, mayHaveMore } = await takeBatch(deps, merchant);
      const { promise: answered, resolve: onAnswers } = Promise.withResolvers<void>();
      before = latest;
      latest = runOperations(deps, merchant, begun, onAnswers);
      // It is awaited later. Until then, a failure must not count as an unhandled rejection.
      latest.catch(() => {});
      done += steps;
      if (!mayHaveMore) {
        await Promise.all([before, latest]);
        return done;
      }
      await Promise.all([before, answered]);
    }
  } finally {
    await Promise.allSettled([before, latest]);
  }
}

/**
 * The same while the merchant's clock is advanced: operations whose answer was lost are reconciled too, so that they end
 * at the time at which they were due.
 */
export async function runDueStepsOfClock(
  deps: Deps,
  merchant: Merchant,
  takeBatch: TakeBatch,
): Promise<number> {
  let hasLost = false;
  const perform: Acquirer['perform'] = async (command) => {
    const outcome = await deps.acquirer.perform(command);
    hasLost ||= outcome.kind !== 'approved' && outcome.kind !== 'refused';
    return outcome;
  };
  const observed = { ...deps, acquirer: { ...deps.acquirer, perform } };
  const done = await runDueSteps(observed, merchant, takeBatch);
  return hasLost ? done + (await reconcileOperationsOf(deps, merchant)) : done;
}

/**
 * The same, unless the merchant's clock is being advanced: the advance then runs these steps itself, in order. Returns
 * how many steps.
 */
export async function runDueStepsUnlessAdvancing(
  deps: Deps,
  scope: MerchantScope,
  takeBatch: TakeBatch,
): Promise<number> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined || merchant.clock.pinnedAt !== null) return 0;
  return runDueSteps(deps, merchant, takeBatch);
}

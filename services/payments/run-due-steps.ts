import { findMerchant } from '../../db/merchants/merchants.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Acquirer } from '../../gateway/acquirer.ts';
import type { Deps } from '../deps.ts';
import { inquireCharge } from './inquire-charge.ts';
import { reconcileOperationsOf } from './reconcile-operations.ts';
import { type BegunOperation, runOperations } from './run-operations.ts';

/** A batch of due steps, which are committed. */
export interface TakenBatch {
  readonly steps: number;
  /** What is sent to the acquirer for them. */
  readonly begun: readonly BegunOperation[];
  /** The charges about which the acquirer is asked. */
  readonly inquired?: readonly Payment[];
  /** False if nothing else was due. */
  readonly mayHaveMore: boolean;
}

/** Takes some steps of a merchant that are due, in one transaction. */
export type TakeBatch = (deps: Deps, merchant: Merchant) => Promise<TakenBatch>;

/** After how many batches, or how long, the steps of other merchants have their turn. */
const TURN_BATCHES = 64;
const TURN_MS = 5_000;

/** Reads the merchant for the next batch; undefined if none follows. */
type NextTurn = () => Promise<Merchant | undefined>;

/**
 * Runs the steps of one merchant that are due, in batches. A batch begins when half of the operations of the last one are
 * answered and all of the one before it have ended, so that at most one and a half batches are sent at the same time. If the
 * process dies before the acquirer has answered, the reconciler settles the operations. Returns how many steps.
 */
async function runDueSteps(deps: Deps, takeBatch: TakeBatch, nextTurn: NextTurn): Promise<number> {
  let done = 0;
  let before = Promise.resolve();
  let latest = Promise.resolve();
  try {
    for (;;) {
      const merchant = await nextTurn();
      const batch = merchant && (await takeBatch(deps, merchant));
      const { promise: answered, resolve: onAnswers } = Promise.withResolvers<void>();
      if (batch !== undefined) {
        before = latest;
        latest = runBatch(deps, merchant!, batch, onAnswers);
        // It is awaited later. Until then, a failure must not count as an unhandled rejection.
        latest.catch(() => {});
        done += batch.steps;
      }
      if (!batch?.mayHaveMore) {
        await Promise.all([before, latest]);
        return done;
      }
      await Promise.all([before, answered]);
    }
  } finally {
    await Promise.allSettled([before, latest]);
  }
}

async function runBatch(
  deps: Deps,
  merchant: Merchant,
  { begun, inquired = [] }: TakenBatch,
  onAnswers: () => void,
): Promise<void> {
  const results = await Promise.allSettled([
    runOperations(deps, merchant, begun, onAnswers),
    ...inquired.map((payment) => inquireCharge(deps, merchant, payment)),
  ]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
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
  const done = await runDueSteps(observed, takeBatch, async () => merchant);
  return hasLost ? done + (await reconcileOperationsOf(deps, merchant)) : done;
}

/**
 * The same, unless the merchant's clock is being advanced: the advance then runs these steps itself, in order. The merchant
 * is read again before each batch, because it may be suspended meanwhile. A merchant with many steps does not run all of
 * them, so that others have their turn; they are still due then. Returns how many steps.
 */
export function runDueStepsUnlessAdvancing(
  deps: Deps,
  scope: MerchantScope,
  takeBatch: TakeBatch,
): Promise<number> {
  const endsAt_ms = performance.now() + TURN_MS;
  let batches = 0;
  return runDueSteps(deps, takeBatch, async () => {
    if (batches === TURN_BATCHES || (batches > 0 && performance.now() > endsAt_ms)) return undefined;
    batches += 1;
    const merchant = await findMerchant(deps.db, scope);
    return merchant?.clock.pinnedAt === null ? merchant : undefined;
  });
}

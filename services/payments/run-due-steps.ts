import { findMerchant } from '../../db/merchants/merchants.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { expireCharge } from './expire-charge.ts';
import { inquireCharge } from './inquire-charge.ts';
import { reconcileOperationsOf } from './reconcile-operations.ts';
import type { BegunOperation } from './run-operation.ts';
import { runOperations } from './run-operations.ts';

/** A batch of due steps, which are committed. */
export interface TakenBatch {
  readonly steps: number;
  /** What is sent to the acquirer for them. */
  readonly begun: readonly BegunOperation[];
  /** The charges about which the acquirer is asked. */
  readonly inquired?: readonly Payment[];
  /** The charges that expire unless the acquirer reports that they have ended. */
  readonly expiring?: readonly Payment[];
  /** Whether a step waits for the outcome of another operation. */
  readonly awaitsOutcome?: boolean;
  /**
   * Writes when the steps that were not taken are due again. Runs while the operations are sent: it can wait for the
   * lock of a row, and can fail.
   */
  readonly putBack?: () => Promise<void>;
  /** False if nothing else was due. */
  readonly mayHaveMore: boolean;
}

/**
 * Takes some steps of a merchant that are due, in one transaction. What follows the commit must neither fail nor wait:
 * operations that are not sent count as refused.
 */
export type TakeBatch = (deps: Deps, merchant: Merchant) => Promise<TakenBatch>;

/** After how many batches, or how long, the steps of other merchants have their turn. */
const TURN_BATCHES = 64;
const TURN_MS = 5_000;

/** Reads the merchant for the next batch; undefined if none follows. */
type NextTurn = () => Promise<Merchant | undefined>;

interface RunSteps {
  readonly steps: number;
  /** Whether the outcome of one of their operations, or of one that they wait for, may be unknown. */
  readonly hasUnknown: boolean;
}

/**
 * Runs the steps of one merchant that are due, in batches. A batch begins when half of the operations of the last one
 * are answered and all of the one before it have ended, so that at most one and a half batches are sent at the same
 * time. If the process dies before the acquirer has answered, the reconciler settles the operations.
 */
async function runDueSteps(deps: Deps, takeBatch: TakeBatch, nextTurn: NextTurn): Promise<RunSteps> {
  let steps = 0;
  let before = Promise.resolve(false);
  let latest = Promise.resolve(false);
  let hasUnknown = false;
  try {
    for (;;) {
      const merchant = await nextTurn();
      if (merchant === undefined) break;
      const batch = await takeBatch(deps, merchant);
      steps += batch.steps;
      hasUnknown ||= batch.awaitsOutcome ?? false;
      const { promise: answered, resolve: onAnswers } = Promise.withResolvers<void>();
      before = latest;
      latest = runBatch(deps, merchant, batch, onAnswers);
      // It is awaited later. Until then, a failure must not count as an unhandled rejection.
      latest.catch(() => {});
      if (!batch.mayHaveMore) break;
      const [isUnknown] = await Promise.all([before, answered]);
      hasUnknown ||= isUnknown;
    }
    const unknown = await Promise.all([before, latest]);
    return { steps, hasUnknown: hasUnknown || unknown.includes(true) };
  } finally {
    await Promise.allSettled([before, latest]);
  }
}

/** Returns whether the outcome of an operation may be unknown. */
async function runBatch(
  deps: Deps,
  merchant: Merchant,
  { begun, inquired = [], expiring = [], putBack = async () => {} }: TakenBatch,
  onAnswers: () => void,
): Promise<boolean> {
  const [operations, ...others] = await Promise.allSettled([
    runOperations(deps, merchant, begun, onAnswers),
    putBack(),
    ...inquired.map((payment) => inquireCharge(deps, merchant, payment)),
    ...expiring.map((payment) => expireCharge(deps, merchant, payment)),
  ]);
  for (const result of others) if (result.status === 'rejected') throw result.reason;
  if (operations.status === 'rejected') throw operations.reason;
  // The cancellation of a charge that is still open may have no outcome either.
  return operations.value || inquired.length > 0;
}

/**
 * The same while the merchant's clock is advanced: operations whose answer was lost, or that a step waits for, are
 * reconciled too, so that they end at the time at which they were due. Returns how many steps.
 */
export async function runDueStepsOfClock(
  deps: Deps,
  merchant: Merchant,
  takeBatch: TakeBatch,
): Promise<number> {
  const { steps, hasUnknown } = await runDueSteps(deps, takeBatch, async () => merchant);
  return hasUnknown ? steps + (await reconcileOperationsOf(deps, merchant)) : steps;
}

/**
 * The same, unless the merchant's clock is being advanced: the advance then runs these steps itself, in order. The
 * merchant is read again before each batch, because it may be suspended meanwhile. A merchant with many steps does not
 * run all of them, so that others have their turn; they are still due then. Returns how many steps.
 */
export async function runDueStepsUnlessAdvancing(
  deps: Deps,
  scope: MerchantScope,
  takeBatch: TakeBatch,
): Promise<number> {
  const endsAt_ms = performance.now() + TURN_MS;
  let batches = 0;
  const { steps } = await runDueSteps(deps, takeBatch, async () => {
    if (batches === TURN_BATCHES || (batches > 0 && performance.now() > endsAt_ms)) return undefined;
    batches += 1;
    const merchant = await findMerchant(deps.db, scope);
    return merchant?.clock.pinnedAt === null ? merchant : undefined;
  });
  return steps;
}

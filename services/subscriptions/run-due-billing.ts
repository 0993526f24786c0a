import { inBulk } from '../../db/engine/bulk.ts';
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import {
  claimDueSubscriptions,
  nextSubscriptionDue,
  postponeSubscriptions,
  releaseSubscriptions,
} from '../../db/subscriptions/due-subscriptions.ts';
import { findOpenPayments } from '../../db/subscriptions/subscription-payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { dueStep, type StepKind } from '../../domain/subscriptions/engine/next-step.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { type Deps, now } from '../deps.ts';
import { reconcileOperationsOf } from '../payments/reconcile-operations.ts';
import { runOperations } from '../payments/run-operations.ts';
import type { BegunCharge } from './cycle-payment.ts';
import { prepareStep, type StepMeans } from './prepare-charges.ts';
import { mayCharge, takeDueSteps } from './take-due-steps.ts';

/** How long a step waits that cannot be taken (merchant's time), and while the clock is advanced. */
const PAUSE_MS = 15 * 60_000;
const PAUSE_OF_CLOCK_MS = 24 * 60 * 60_000;

/**
 * Subscriptions of one transaction. The next batch begins when half of the charges of a batch have an outcome and all of
 * the batch before it, so that at most one and a half batches of a merchant are sent at the same time.
 */
const BATCH = 64;

/**
 * How long a batch is left to its worker (wall time). It ends earlier, when the steps are written. A longer one delays the
 * steps of a process that died.
 */
const LEASE_MS = 20_000;

/** When the next billing step of the merchant is due, or null. Charges wait while the merchant is not approved. */
export function nextBillingStep(deps: Deps, merchant: Merchant): Promise<Date | null> {
  return nextSubscriptionDue(deps.db, merchant, { mayCharge: mayCharge(merchant) });
}

/**
 * Runs the billing steps of one merchant that are due: cycles are opened and charged, failed charges are retried, and
 * subscriptions end. Works in batches, which several workers claim from the same merchant: one transaction writes the steps
 * and the intents of their charges, then all charges of the batch are sent. If the process dies before the acquirer has
 * answered, the reconciler settles the operations. A step that cannot be taken, for example because its means of payment
 * cannot be read, waits, so that it holds up neither other steps nor an advance of the clock. Returns how many steps.
 */
export async function runDueBilling(deps: Deps, merchant: Merchant): Promise<number> {
  let done = 0;
  let before = Promise.resolve();
  let latest = Promise.resolve();
  try {
    for (;;) {
      const { charges, taken, waiting } = await takeBatch(deps, merchant);
      const { promise: halfEnded, resolve: onHalf } = Promise.withResolvers<void>();
      before = latest;
      latest = runOperations(deps, merchant, charges, onHalf);
      // It is awaited later. Until then, a failure must not count as one that nobody handles.
      latest.catch(() => {});
      done += taken;
      if (taken + waiting < BATCH) {
        await Promise.all([before, latest]);
        return done;
      }
      await Promise.all([before, halfEnded]);
    }
  } finally {
    await Promise.allSettled([before, latest]);
  }
}

interface TakenBatch {
  readonly charges: readonly BegunCharge[];
  /** Steps that were taken, and steps that cannot be taken now. */
  readonly taken: number;
  readonly waiting: number;
}

/** Claims a batch before it reads the means of payment, so that no other worker reads them too. */
async function takeBatch(deps: Deps, merchant: Merchant): Promise<TakenBatch> {
  const until = now(deps, merchant);
  const wall = deps.wall();
  const due = await claimDueSubscriptions(deps.db, merchant, {
    until,
    limit: BATCH,
    mayCharge: mayCharge(merchant),
    wall,
    leasedUntil: new Date(wall.getTime() + LEASE_MS),
  });
  if (due.length === 0) return { charges: [], taken: 0, waiting: 0 };
  const { means, unreadable } = await prepareCharges(deps, merchant, due, until);
  const postpone = (ids: readonly string[]) =>
    postponeSubscriptions(deps.db, merchant, { ids, until, dueAt: pauseEnd(merchant, until) });
  await postpone(unreadable);
  const { charges, taken, left, failed } = await takeDueSteps(deps, merchant, due, means);
  await postpone(failed);
  await releaseSubscriptions(deps.db, merchant, left);
  return { charges, taken: taken.length, waiting: unreadable.length + failed.length };
}

/** The same while the merchant's clock is advanced: charges whose answer was lost are reconciled too. */
export async function runDueBillingOfClock(deps: Deps, merchant: Merchant): Promise<number> {
  const done = await runDueBilling(deps, merchant);
  return done === 0 ? 0 : done + (await reconcileOperationsOf(deps, merchant));
}

/**
 * The same, unless the merchant's clock is being advanced: the advance then runs these steps itself, in order. Returns
 * how many steps.
 */
export async function runDueBillingUnlessAdvancing(deps: Deps, scope: MerchantScope): Promise<number> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined || merchant.clock.pinnedAt !== null) return 0;
  return runDueBilling(deps, merchant);
}

function pauseEnd({ clock }: Merchant, at: Date): Date {
  const pause_ms = clock.pinnedAt === null ? PAUSE_MS : PAUSE_OF_CLOCK_MS;
  return new Date(at.getTime() + pause_ms);
}

/** The means of payment by subscription, and the subscriptions whose means cannot be read. */
interface PreparedCharges {
  readonly means: ReadonlyMap<string, StepMeans>;
  readonly unreadable: readonly string[];
}

const CHARGING: ReadonlySet<StepKind> = new Set(['open_cycle', 'attempt', 'send']);

/** Reads the means of payment of the steps that charge a customer. One that cannot be read is logged and left out. */
async function prepareCharges(
  deps: Deps,
  merchant: Merchant,
  due: readonly Subscription[],
  at: Date,
): Promise<PreparedCharges> {
  const means = new Map<string, StepMeans>();
  const unreadable: string[] = [];
  const reading = { ...deps, db: inBulk(deps.db) };
  const latestIds = due.map(({ latestPaymentId }) => latestPaymentId).filter((id) => id !== null);
  const open = await findOpenPayments(deps.db, merchant, latestIds);
  const prepare = async (subscription: Subscription) => {
    const step = dueStep(subscription.billing, at);
    if (step === null || !CHARGING.has(step.kind)) return;
    // A charge that was withdrawn is not canceled yet. The next one waits for that.
    if (step.kind !== 'send' && open.has(subscription.latestPaymentId!)) return;
    try {
      means.set(subscription.id, await prepareStep(reading, merchant, subscription));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      unreadable.push(subscription.id);
      const fields = { subscription_id: subscription.id, merchant_id: merchant.merchantId, err: error };
      deps.log.error(fields, 'the means of payment of a subscription cannot be read');
    }
  };
  await Promise.all(due.map(prepare));
  return { means, unreadable };
}

import { inBulk } from '../../db/engine/bulk.ts';
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import {
  claimDueSubscriptions,
  postponeSubscriptions,
  recordUnreadMeans,
  releaseSubscriptions,
} from '../../db/subscriptions/due-subscriptions.ts';
import { findOpenPayments, findPayments } from '../../db/subscriptions/subscription-payments.ts';
import { type Merchant, mayCharge } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { isOpen } from '../../domain/payments/payment-state.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { needsPaymentMeans } from '../../domain/subscriptions/engine/change.ts';
import { dueStep, type StepKind } from '../../domain/subscriptions/engine/next-step.ts';
import { takeStep } from '../../domain/subscriptions/engine/take-step.ts';
import { hasWaitedForMeans } from '../../domain/subscriptions/engine/unreadable-means.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { stepRetryAt } from '../clock-steps.ts';
import { type Deps, now } from '../deps.ts';
import {
  runDueStepsOfClock,
  runDueStepsUnlessAdvancing,
  type TakenBatch,
} from '../payments/run-due-steps.ts';
import { Unreadable } from '../vault/vault.ts';
import { prepareStep, type StepMeans, type UnreadableMeans } from './prepare-charges.ts';
import { takeDueSteps } from './take-due-steps.ts';

/** Subscriptions of one transaction. */
const BATCH = 64;

/**
 * How long a batch is left to its worker (wall time). It ends earlier, when the steps are written. A longer one delays
 * the steps of a process that died.
 */
const LEASE_MS = 20_000;

/** The same as `runDueBillingUnlessAdvancing`, while the merchant's clock is advanced. */
export function runDueBillingOfClock(deps: Deps, merchant: Merchant): Promise<number> {
  return runDueStepsOfClock(deps, merchant, takeBatch);
}

/**
 * Runs the billing steps of one merchant that are due: cycles are opened and charged, failed charges are retried, and
 * subscriptions end. Several workers share the steps of a merchant. A step that cannot be taken, for example because
 * its means of payment cannot be read, waits, so that it delays neither other steps nor an advance of the clock;
 * after 7 days such a charge counts as refused for good. Returns how many steps. Does nothing while the merchant's
 * clock is advanced.
 */
export function runDueBillingUnlessAdvancing(deps: Deps, scope: MerchantScope): Promise<number> {
  return runDueStepsUnlessAdvancing(deps, scope, takeBatch);
}

/** Claims a batch before it reads the means of payment, so that no other worker reads them too. */
async function takeBatch(deps: Deps, merchant: Merchant): Promise<TakenBatch> {
  const until = now(deps, merchant);
  const wall = deps.wall();
  const leasedUntil = new Date(wall.getTime() + LEASE_MS);
  const due = await claimDueSubscriptions(deps.db, merchant, {
    until,
    limit: BATCH,
    mayCharge: mayCharge(merchant),
    wall,
    leasedUntil,
  });
  if (due.length === 0) return { steps: 0, begun: [], mayHaveMore: false };
  try {
    return await takeClaimed(deps, merchant, { due, until, leasedUntil });
  } catch (error) {
    const ids = due.map(({ id }) => id);
    await releaseSubscriptions(deps.db, merchant, { ids, leasedUntil }).catch(warn(deps, merchant));
    throw error;
  }
}

interface ClaimedBatch {
  readonly due: readonly Subscription[];
  readonly until: Date;
  readonly leasedUntil: Date;
}

async function takeClaimed(deps: Deps, merchant: Merchant, batch: ClaimedBatch): Promise<TakenBatch> {
  const { due, until, leasedUntil } = batch;
  const { means, waiting } = await prepareCharges(deps, merchant, batch);
  const ready = due.filter(({ id }) => !waiting.has(id));
  const { charges, taken, left, failed } = await takeDueSteps(deps, merchant, ready, means);
  const postponed = [...waiting, ...failed];
  const dueAt = stepRetryAt(merchant, until);
  return {
    steps: taken.length,
    begun: charges,
    putBack: async () => {
      const log = warn(deps, merchant);
      await Promise.all([
        postponeSubscriptions(deps.db, merchant, { ids: postponed, leasedUntil, dueAt }).catch(log),
        releaseSubscriptions(deps.db, merchant, { ids: left, leasedUntil }).catch(log),
      ]);
    },
    mayHaveMore: taken.length + postponed.length === BATCH,
  };
}

/**
 * Logs that claimed steps could not be put back: the database does not answer now, or another transaction holds the
 * locks for long. The lease of the steps ends by itself.
 */
function warn({ log }: Deps, { merchantId }: Merchant): (error: unknown) => void {
  return (error) =>
    log.warn({ merchant_id: merchantId, err: error }, 'billing steps wait for the end of their lease');
}

interface PreparedCharges {
  /** The means of payment by subscription. */
  readonly means: ReadonlyMap<string, StepMeans | UnreadableMeans>;
  /** The subscriptions whose means cannot be read, or whose latest payment has to end before the step. */
  readonly waiting: ReadonlySet<string>;
}

interface DueStep {
  readonly kind: StepKind;
  /** Whether it charges the customer. One of a cycle that a credit pays does not. */
  readonly charges: boolean;
}

/** The step of a subscription that is due; null if none is, or if its stored state cannot be right. */
function dueStepOf({ billing }: Subscription, at: Date): DueStep | null {
  try {
    const step = dueStep(billing, at);
    return step && { kind: step.kind, charges: needsPaymentMeans(takeStep(billing, step, at).payment) };
  } catch {
    // It fails again in `takeDueSteps`, which logs it and takes the steps of the others.
    return null;
  }
}

/**
 * Returns the ids of those of `late` (subscriptions whose mandate was not authorized in time) whose authorization
 * payment is still open. The acquirer is asked about the payment first (`expireCharge`). Once it has ended, the
 * subscription continues, or it ends: with its payment (`subscriptionsOfMandates`), or by its own step.
 */
async function waitingForPayer(
  { db }: Deps,
  merchant: Merchant,
  late: readonly Subscription[],
): Promise<Set<string>> {
  const ids = late.flatMap(({ latestPaymentId }) => latestPaymentId ?? []);
  const requests = ids.length === 0 ? new Map() : await findPayments(db, merchant, ids);
  const isWaiting = (request: Payment | undefined) => request !== undefined && isOpen(request);
  return new Set(
    late.flatMap(({ id, latestPaymentId }) => (isWaiting(requests.get(latestPaymentId ?? '')) ? id : [])),
  );
}

/**
 * Whether a step waits until the latest charge has ended. A charge that was withdrawn can be paid before the acquirer
 * cancels it. The result of a charge that was not withdrawn can arrive after its day, when access would end. The end of
 * the charge makes the step due again (`subscriptionsOfPayments`).
 */
function followsCharge({ kind }: DueStep): boolean {
  return kind === 'open_cycle' || kind === 'attempt' || kind === 'end';
}

/** Reads the means of payment of the steps that charge a customer. One that cannot be read is logged and left out. */
async function prepareCharges(
  deps: Deps,
  merchant: Merchant,
  { due, until: at, leasedUntil }: ClaimedBatch,
): Promise<PreparedCharges> {
  const means = new Map<string, StepMeans | UnreadableMeans>();
  const steps = new Map(due.map((subscription) => [subscription.id, dueStepOf(subscription, at)]));
  const late = due.filter(({ id }) => steps.get(id)?.kind === 'expire_mandate');
  const waiting = await waitingForPayer(deps, merchant, late);
  const reading = { ...deps, db: inBulk(deps.db) };
  const latestIds = due.map(({ latestPaymentId }) => latestPaymentId).filter((id) => id !== null);
  const open = await findOpenPayments(deps.db, merchant, latestIds);
  const prepare = async (subscription: Subscription) => {
    const step = steps.get(subscription.id);
    if (!step) return;
    if (followsCharge(step) && open.has(subscription.latestPaymentId!)) {
      waiting.add(subscription.id);
      return;
    }
    if (!step.charges) return;
    try {
      means.set(subscription.id, await prepareStep(reading, merchant, subscription));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      const unread = { id: subscription.id, leasedUntil, at };
      if (error instanceof Unreadable && (await hasWaited(deps, merchant, unread))) {
        means.set(subscription.id, { isUnreadable: true, of: subscription });
      } else waiting.add(subscription.id);
      const fields = { subscription_id: subscription.id, merchant_id: merchant.merchantId, err: error };
      deps.log.error(fields, 'the means of payment of a subscription cannot be read');
    }
  };
  await Promise.all(due.map(prepare));
  return { means, waiting };
}

/** Whether the means of payment could not be read for so long that its charge counts as refused for good. */
async function hasWaited(
  deps: Deps,
  merchant: Merchant,
  unread: { readonly id: string; readonly leasedUntil: Date; readonly at: Date },
): Promise<boolean> {
  return hasWaitedForMeans(await recordUnreadMeans(deps.db, merchant, unread), unread.at);
}

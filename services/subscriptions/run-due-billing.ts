import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import {
  findDueSubscriptions,
  lockDueSubscriptions,
  nextSubscriptionDue,
  postponeSubscriptions,
} from '../../db/subscriptions/due-subscriptions.ts';
import { findOpenPayments } from '../../db/subscriptions/subscription-payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { dueStep, type StepKind } from '../../domain/subscriptions/engine/next-step.ts';
import { takeStep } from '../../domain/subscriptions/engine/take-step.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { recordClockStep } from '../clock-steps.ts';
import { type Deps, now, returnResult, type TransactionContext } from '../deps.ts';
import { reconcileOperationsOf } from '../payments/reconcile-operations.ts';
import { runOperation } from '../payments/run-operation.ts';
import { addCyclePayment, type BegunCharge, type ChargeMeans, cyclePayment } from './cycle-payment.ts';
import { moveSubscription } from './move-subscription.ts';
import { prepareCharge } from './prepare-charges.ts';

/** How long a charge waits whose means of payment cannot be read (merchant's time), and while the clock is advanced. */
const UNREADABLE_PAUSE_MS = 15 * 60_000;
const UNREADABLE_PAUSE_OF_CLOCK_MS = 24 * 60 * 60_000;

/** Subscriptions of one transaction, and the maximum of charges that are sent at the same time. */
const BATCH = 64;

/** The names of the steps in the list of an advance of the clock. */
const CLOCK_STEPS: Readonly<Record<StepKind, string>> = {
  open_cycle: 'bill_cycle',
  attempt: 'retry_cycle',
  send: 'send_cycle_charge',
  give_up: 'give_up_cycle',
  complete: 'complete_subscription',
  end: 'end_subscription',
  expire_mandate: 'expire_mandate',
};

/** When the next billing step of the merchant is due, or null. Charges wait while the merchant is not approved. */
export function nextBillingStep(deps: Deps, merchant: Merchant): Promise<Date | null> {
  return nextSubscriptionDue(deps.db, merchant, { mayCharge: mayCharge(merchant) });
}

/**
 * Runs the billing steps of one merchant that are due: cycles are opened and charged, failed charges are retried, and
 * subscriptions end. Works in batches: one transaction writes the steps and the intents of their charges, then all charges
 * of the batch are sent. If the process dies before the acquirer has answered, the reconciler settles the operations. A
 * charge whose means of payment cannot be read waits, so that it holds up neither other steps nor an advance of the clock.
 * Returns how many steps.
 */
export async function runDueBilling(deps: Deps, merchant: Merchant): Promise<number> {
  const limits = { limit: BATCH, mayCharge: mayCharge(merchant) };
  let done = 0;
  for (;;) {
    const until = now(deps, merchant);
    const due = await findDueSubscriptions(deps.db, merchant, { ...limits, until });
    const { means, unreadable } = await prepareCharges(deps, merchant, due, until);
    await postponeSubscriptions(deps.db, merchant, {
      ids: unreadable,
      until,
      dueAt: pauseEnd(merchant, until),
    });
    const ids = due.map(({ id }) => id);
    const batch = await deps.db.transaction(merchant, async (tx) => {
      const at = now(deps, merchant);
      const begun: (BegunCharge | null)[] = [];
      for (const subscription of await lockDueSubscriptions(tx, merchant, { ...limits, until: at, ids })) {
        const step = await runStep({ deps, tx, merchant }, subscription, means.get(subscription.id), at);
        if (step !== undefined) begun.push(step);
      }
      return begun;
    });
    await sendCharges(
      deps,
      merchant,
      batch.filter((charge) => charge !== null),
    );
    done += batch.length;
    if (batch.length + unreadable.length < BATCH) return done;
  }
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

function mayCharge({ status }: Merchant): boolean {
  return status === 'approved';
}

function pauseEnd({ clock }: Merchant, at: Date): Date {
  const pause_ms = clock.pinnedAt === null ? UNREADABLE_PAUSE_MS : UNREADABLE_PAUSE_OF_CLOCK_MS;
  return new Date(at.getTime() + pause_ms);
}

/** The means of payment by subscription, and the subscriptions whose means cannot be read. */
interface PreparedCharges {
  readonly means: ReadonlyMap<string, PreparedMeans>;
  readonly unreadable: readonly string[];
}

interface PreparedMeans extends ChargeMeans {
  /** The card that was read; null for other methods. */
  readonly cardId: string | null;
}

const CHARGING: ReadonlySet<StepKind> = new Set(['open_cycle', 'attempt']);

/** Reads the means of payment of the steps that charge a customer. One that cannot be read is logged and left out. */
async function prepareCharges(
  deps: Deps,
  merchant: Merchant,
  due: readonly Subscription[],
  at: Date,
): Promise<PreparedCharges> {
  const means = new Map<string, PreparedMeans>();
  const unreadable: string[] = [];
  const latestIds = due.map(({ latestPaymentId }) => latestPaymentId).filter((id) => id !== null);
  const open = await findOpenPayments(deps.db, merchant, latestIds);
  const prepare = async (subscription: Subscription) => {
    const step = dueStep(subscription.billing, at);
    if (step === null || !CHARGING.has(step.kind)) return;
    // A charge that was withdrawn is not canceled yet. The next one waits for that.
    if (open.has(subscription.latestPaymentId!)) return;
    try {
      const { id, cardId } = subscription;
      means.set(id, { ...(await prepareCharge(deps, merchant, subscription)), cardId });
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

/**
 * Takes the step that is due of a locked subscription. Returns the charge to send; null if the step charges nothing.
 * Undefined, with nothing written, if nothing is due any more, or the means of payment are missing or have been replaced.
 */
async function runStep(
  context: TransactionContext,
  subscription: Subscription,
  means: PreparedMeans | undefined,
  at: Date,
): Promise<BegunCharge | null | undefined> {
  const { deps, tx, merchant } = context;
  const step = dueStep(subscription.billing, at);
  if (step === null) return undefined;
  const change = takeStep(subscription.billing, step, at);
  const action = change.payment?.kind === 'charge' ? change.payment : null;
  if (action !== null && means?.cardId !== subscription.cardId) return undefined;
  await recordClockStep(deps, tx, merchant, { step: CLOCK_STEPS[step.kind], objectId: subscription.id });
  const payment = action && cyclePayment(deps, merchant, subscription, action, means!, at);
  await moveSubscription(context, subscription, change, { at, payment });
  return payment && addCyclePayment(context, payment, means!);
}

/** Sends the charges at the same time, and waits for all of them also if one fails. */
async function sendCharges(deps: Deps, merchant: Merchant, begun: readonly BegunCharge[]): Promise<void> {
  const results = await Promise.allSettled(
    begun.map(({ operation, command }) => runOperation(deps, merchant, operation, command, returnResult)),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

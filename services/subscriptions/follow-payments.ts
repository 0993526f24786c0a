import { ConcurrentChange } from '../../db/engine/unavailable.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { wakeSubscription } from '../../db/subscriptions/due-subscriptions.ts';
import { findInvoice } from '../../db/subscriptions/invoices.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import { merchantDay } from '../../domain/local-time.ts';
import { awaitedCredential, capturesOnApproval } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentMove } from '../../domain/payments/payment-moves.ts';
import { isOpen } from '../../domain/payments/payment-state.ts';
import { type MadeAttempt, resumeAttempt, withTakenDate } from '../../domain/subscriptions/engine/attempt.ts';
import { type BillingChange, changeOf } from '../../domain/subscriptions/engine/change.ts';
import { nextStep } from '../../domain/subscriptions/engine/next-step.ts';
import { type AttemptOutcome, settleAttempt } from '../../domain/subscriptions/engine/settle-attempt.ts';
import { isPayable, withVoidedCycle } from '../../domain/subscriptions/engine/voided-cycle.ts';
import {
  chargeNewMeans,
  endAfterFirstFailure,
  isFirstCharge,
} from '../../domain/subscriptions/first-charge-failure.ts';
import { isByFormerMeans } from '../../domain/subscriptions/former-means.ts';
import { isBillingMethod } from '../../domain/subscriptions/methods/names.ts';
import { DUNNING_DAYS } from '../../domain/subscriptions/retry-days.ts';
import { revokeBilling } from '../../domain/subscriptions/revoke-billing.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { isFinished } from '../../domain/subscriptions/subscription-status.ts';
import type { PaymentChange, PaymentListener, TransactionContext } from '../deps.ts';
import { requireRow } from '../refusal.ts';
import { moveSubscription } from './move-subscription.ts';
import { stopPayment } from './stop-charges.ts';
import { settleUpgrade } from './upgrade-payment.ts';

/**
 * Settles the billing cycle of a payment, or the upgrade that it pays, with the payment, in the same transaction. The
 * payment is locked before its subscription.
 */
export const subscriptionsOfPayments: PaymentListener = {
  async changed(context, change) {
    const { subscriptionId } = change.after;
    if (subscriptionId === null) return;
    const { tx, merchant } = context;
    const subscription = requireRow(await lockSubscription(tx, merchant, subscriptionId));
    const { pendingUpgrade } = subscription;
    if (pendingUpgrade?.paymentId === change.after.id) {
      return settleUpgrade(context, subscription, pendingUpgrade, change);
    }
    const isLatest = subscription.latestPaymentId === change.after.id;
    const dunningDays = merchant.dunningDays ?? DUNNING_DAYS;
    const terms = { isLatest, dunningDays };
    const billingChange =
      billingChangeOf(subscription, change, terms) ??
      (await changeOfVoidedCycle(context, subscription, change, terms));
    if (billingChange === null) {
      if (isLatest && hasEnded(change)) await wakeStep(context, subscription);
      return;
    }
    const isReplaced = !isLatest && subscription.billing.openCycle?.attempt != null;
    await moveSubscription(context, subscription, billingChange, {
      at: change.at,
      ...(isLatest && { payment: change.after }),
      ...(isReplaced && { writePayments: () => stopPresentCharge(context, subscription, change) }),
    });
  },
};

/** An earlier charge of the cycle was paid late, or the subscription has ended: the present charge must not be paid. */
async function stopPresentCharge(
  context: TransactionContext,
  { latestPaymentId }: Subscription,
  change: PaymentChange,
): Promise<void> {
  const latest = requireRow(await lockPayment(context.tx, context.merchant, latestPaymentId!));
  if (isPaidNow(change) && isOpen(latest) && capturesOnApproval(latest)) {
    // It began after the report was judged, and would be paid too. Judged again, the report waits for its outcome.
    throw new ConcurrentChange(`The payment ${latest.id} charges the same cycle.`);
  }
  await stopPayment(context, latest, { by: 'acquirer', at: change.at });
}

interface ChangeTerms {
  /** Whether the payment is the latest one of the subscription. */
  readonly isLatest: boolean;
  readonly dunningDays: readonly number[];
}

/** What a change of a payment changes in its subscription; null if nothing. */
function billingChangeOf(
  subscription: Subscription,
  change: PaymentChange,
  { isLatest, dunningDays }: ChangeTerms,
): BillingChange | null {
  const { billing, buyer, walletCredentialId } = subscription;
  const { before, after, at } = change;
  const charge = chargeOf(after);
  if (charge === null) return null;
  const { cycle } = charge;
  if (isRevoked(after) && !isRevoked(before)) return revokeBilling(billing, cycle, at);
  if (billing.openCycle?.cycle !== cycle) return null;
  const isWithdrawn = isLatest && billing.openCycle.attempt === null;
  if (isKept(change) && isWithdrawn) return changeOf(resumeAttempt(billing, charge));
  // A wallet's token cannot be charged again, and a refusal brings no credential.
  const isLastTry = walletCredentialId !== null && awaitedCredential(after) === walletCredentialId;
  const outcome = outcomeOf(change, isLastTry);
  if (outcome === null) return null;
  const isCanceled = after.status === 'canceled' || outcome.kind === 'not_sent';
  const decided = isWithdrawn && !isCanceled ? withTakenDate(billing, charge, merchantDay(at)) : billing;
  // Money also counts if it pays an earlier attempt of the cycle. Only the attempt that is under way can fail, and not
  // one that was withdrawn.
  const isUnderWay = isLatest && !isWithdrawn;
  if (outcome.kind !== 'paid' && !isUnderWay) return decided === billing ? null : changeOf(decided);
  const isByFormer = isByFormerMeans(after, subscription);
  if (outcome.kind !== 'paid' && buyer !== null && isFirstCharge(billing)) {
    return isByFormer ? chargeNewMeans(billing, at) : endAfterFirstFailure(billing);
  }
  return settleAttempt(decided, outcome, { now: at, dunningDays, isByFormerMeans: isByFormer });
}

/** The change by a charge whose cycle was voided, if it was paid, or if it can be paid as before; else null. */
async function changeOfVoidedCycle(
  { tx, merchant }: TransactionContext,
  { id: subscriptionId, billing }: Subscription,
  change: PaymentChange,
  { isLatest, dunningDays }: ChangeTerms,
): Promise<BillingChange | null> {
  const charge = chargeOf(change.after);
  const isPaid = isPaidNow(change);
  const canBePaid = isLatest && isKept(change) && !isFinished(billing.status);
  if (charge === null || !isPayable(billing, charge.cycle) || !(isPaid || canBePaid)) return null;
  const { cycle } = charge;
  const invoice = await findInvoice(tx, merchant, { subscriptionId, cycle });
  if (invoice === undefined) return null;
  const reopened = withVoidedCycle(billing, invoice);
  if (isPaid) return settleAttempt(reopened, { kind: 'paid' }, { now: change.at, dunningDays });
  return changeOf(resumeAttempt(reopened, charge), { invoices: [{ cycle, move: 'open', by: 'acquirer' }] });
}

/** How a payment charges a cycle; null if it charges none. */
function chargeOf(payment: Payment): (MadeAttempt & { readonly cycle: number }) | null {
  const { cycle, method, billingDate } = payment;
  if (cycle === null || billingDate === null || !isBillingMethod(method)) return null;
  return { cycle, method, dueOn: billingDate };
}

const FAILED_CANCELLATIONS: readonly PaymentMove[] = [
  'fail_cancel',
  'fail_cancel_again',
  'fail_unknown_cancel_again',
];

/** The acquirer did not cancel the charge, which the customer can still pay. */
function isKept({ transitions, after }: PaymentChange): boolean {
  return transitions.some(({ move }) => FAILED_CANCELLATIONS.includes(move)) && isOpen(after);
}

function hasEnded({ before, after }: PaymentChange): boolean {
  return isOpen(before) && !isOpen(after);
}

/** The step that waited for the end of the charge is due again. */
async function wakeStep({ tx, merchant }: TransactionContext, { id, billing }: Subscription): Promise<void> {
  const step = nextStep(billing);
  if (step !== null) await wakeSubscription(tx, merchant, { id, dueAt: step.dueAt });
}

function isPaidNow({ before, after }: PaymentChange): boolean {
  return before.captured_centavos === 0 && after.captured_centavos > 0;
}

function isRevoked({ status }: Payment): boolean {
  return status === 'refunded' || status === 'chargeback_lost';
}

/** `isLastTry`: the means of payment cannot be charged again if this payment is refused. */
function outcomeOf(change: PaymentChange, isLastTry: boolean): AttemptOutcome | null {
  const { before, after, transitions } = change;
  if (isPaidNow(change)) return { kind: 'paid' };
  if (before.status === after.status) return null;
  switch (after.status) {
    case 'refused':
      if (isLastTry) return { kind: 'refused', mayRetry: false };
      if (transitions.some(({ details }) => details?.isUnsent)) return { kind: 'not_sent' };
      return { kind: 'refused', mayRetry: after.refusal?.retryable ?? true };
    case 'canceled':
      return { kind: 'refused', mayRetry: true };
    case 'expired':
      return { kind: 'expired' };
    default:
      return null;
  }
}

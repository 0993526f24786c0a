import { ConcurrentChange } from '../../db/engine/unavailable.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { findInvoice } from '../../db/subscriptions/invoices.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import { awaitedCredential, capturesOnApproval } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { isOpen } from '../../domain/payments/payment-state.ts';
import { keepAttempt } from '../../domain/subscriptions/engine/attempt.ts';
import { type BillingChange, changeOf } from '../../domain/subscriptions/engine/change.ts';
import { isPayable, payVoidedCycle } from '../../domain/subscriptions/engine/pay-voided-cycle.ts';
import { type AttemptOutcome, settleAttempt } from '../../domain/subscriptions/engine/settle-attempt.ts';
import { endAfterFirstFailure, isFirstCharge } from '../../domain/subscriptions/first-charge-failure.ts';
import { isByFormerMeans } from '../../domain/subscriptions/former-means.ts';
import { isChargingMethod } from '../../domain/subscriptions/methods/charging.ts';
import { DUNNING_DAYS } from '../../domain/subscriptions/retry-days.ts';
import { revokeBilling } from '../../domain/subscriptions/revoke-billing.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
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
    const billingChange =
      billingChangeOf(subscription, change, { isLatest, dunningDays }) ??
      (await paidAfterCancellation(context, subscription, change));
    if (billingChange === null) return;
    const isReplaced = !isLatest && subscription.billing.openCycle?.attempt != null;
    await moveSubscription(context, subscription, billingChange, {
      at: change.at,
      ...(isLatest && { payment: change.after }),
      ...(isReplaced && { writePayments: () => stopLatest(context, subscription, change) }),
    });
  },
};

/** An earlier charge of the cycle was paid late, or the subscription has ended: the present charge must not be paid. */
async function stopLatest(
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

/** What a change of a payment changes in its subscription; null if nothing. */
function billingChangeOf(
  subscription: Subscription,
  change: PaymentChange,
  { isLatest, dunningDays }: { readonly isLatest: boolean; readonly dunningDays: readonly number[] },
): BillingChange | null {
  const { billing, buyer, walletCredentialId } = subscription;
  const { before, after, at } = change;
  const { cycle } = after;
  if (cycle === null) return null;
  if (isRevoked(after) && !isRevoked(before)) return revokeBilling(billing, cycle, at);
  if (billing.openCycle?.cycle !== cycle) return null;
  const wasKept = change.transitions.some(({ move }) => move === 'fail_cancel') && isOpen(after);
  const { method } = after;
  if (wasKept && isLatest && billing.openCycle.attempt === null && isChargingMethod(method)) {
    return changeOf(keepAttempt(billing, { method, dueOn: after.billingDate! }));
  }
  // A wallet's token cannot be charged again, and a refusal brings no credential.
  const isLastTry = walletCredentialId !== null && awaitedCredential(after) === walletCredentialId;
  const outcome = outcomeOf(change, isLastTry);
  if (outcome === null) return null;
  // Money also counts if it pays an earlier attempt of the cycle. Only the attempt that is under way can fail, and not one
  // that was withdrawn.
  const isUnderWay = isLatest && billing.openCycle.attempt !== null;
  if (outcome.kind !== 'paid' && !isUnderWay) return null;
  if (outcome.kind !== 'paid' && buyer !== null && isFirstCharge(billing)) {
    return endAfterFirstFailure(billing);
  }
  const isByFormer = isByFormerMeans(after, subscription);
  return settleAttempt(billing, outcome, { now: at, dunningDays, isByFormerMeans: isByFormer });
}

/** The change by a charge that was paid after its cycle was voided; null for any other change of a payment. */
async function paidAfterCancellation(
  { tx, merchant }: TransactionContext,
  { id: subscriptionId, billing }: Subscription,
  change: PaymentChange,
): Promise<BillingChange | null> {
  const { cycle } = change.after;
  if (cycle === null || !isPayable(billing, cycle) || !isPaidNow(change)) return null;
  const invoice = await findInvoice(tx, merchant, { subscriptionId, cycle });
  return invoice === undefined ? null : payVoidedCycle(billing, invoice);
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

import { lockPayment } from '../../db/payments/payments.ts';
import { findPayments } from '../../db/subscriptions/subscription-payments.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Billing } from '../../domain/subscriptions/billing.ts';
import { canCancel, cancelBilling } from '../../domain/subscriptions/cancel-billing.ts';
import {
  changeToMandate,
  mandateStillFits,
  withDayOfMonth,
} from '../../domain/subscriptions/change-method.ts';
import { type BillingChange, changeOf } from '../../domain/subscriptions/engine/change.ts';
import { nextStep } from '../../domain/subscriptions/engine/next-step.ts';
import { takeStep } from '../../domain/subscriptions/engine/take-step.ts';
import { authorizeMandate, rejectMandate } from '../../domain/subscriptions/mandate-outcome.ts';
import type { PendingMandate, Subscription } from '../../domain/subscriptions/subscription.ts';
import type { MandateChange, MandateListener, TransactionContext } from '../deps.ts';
import { requireRow } from '../refusal.ts';
import { moveSubscription } from './move-subscription.ts';
import { mayStop, stopPayment } from './stop-charges.ts';

/** Moves a subscription with its mandates, in the same transaction. */
export const subscriptionsOfMandates: MandateListener = {
  async lock({ tx, merchant }, { subscriptionId }) {
    requireRow(await lockSubscription(tx, merchant, subscriptionId));
  },
  async changed(context, change) {
    const { tx, merchant } = context;
    const { after, move, at } = change;
    const subscription = requireRow(await lockSubscription(tx, merchant, after.subscriptionId));
    const { pendingMandate, billing } = subscription;
    if (after.id === pendingMandate?.mandateId) {
      return settlePendingMandate(context, subscription, pendingMandate, change);
    }
    if (subscription.mandateId !== after.id) return;
    const billingChange = billingChangeOf(billing, change);
    if (billingChange === null) return;
    const cancellationReason = move === 'cancel' ? after.cancellationCode : null;
    const writePayments = async () => {
      if (billingChange.payment?.kind === 'withdraw') await withdrawLatest(context, subscription, at);
    };
    await moveSubscription(context, subscription, billingChange, { at, cancellationReason, writePayments });
  },
};

/**
 * The acquirer itself cancels charges that were already sent, and notifies the service. The notification can be lost,
 * so the service also asks about them.
 */
async function withdrawLatest(
  context: TransactionContext,
  subscription: Subscription,
  at: Date,
): Promise<void> {
  const latest = await lockLatest(context, subscription);
  if (latest !== null) await stopPayment(context, latest, { by: 'acquirer', at });
}

/** What a change of its mandate changes in a subscription; null if nothing. */
function billingChangeOf(billing: Billing, { move, by, at }: MandateChange): BillingChange | null {
  switch (move) {
    case 'authorize':
      return authorizeMandate(billing);
    case 'reject':
      return rejectMandate(billing);
    case 'expire': {
      const step = nextStep(billing);
      return step?.kind === 'expire_mandate' ? takeStep(billing, step, at) : null;
    }
    case 'cancel':
      return canCancel(billing) ? cancelBilling(billing, by === 'merchant' ? by : 'acquirer', at) : null;
  }
}

/**
 * A mandate that was requested to replace another means of payment: the subscription is charged by it once the payer
 * has authorized it, and the plan that was requested with it begins with the next cycle. Otherwise the subscription
 * keeps its means of payment and its plan, also if the authorization is found out so late that the mandate no longer
 * allows the charges that follow. The acquirer then cancels the mandate, as one that no subscription uses.
 */
async function settlePendingMandate(
  context: TransactionContext,
  subscription: Subscription,
  pending: PendingMandate,
  { move, at }: MandateChange,
): Promise<void> {
  const { billing, bestChargeDay } = subscription;
  const isTooLate = move === 'authorize' && !mandateStillFits(billing, pending);
  if (isTooLate) logTooLate(context, subscription, pending);
  if (move !== 'authorize' || isTooLate) {
    await moveSubscription(context, subscription, changeOf(billing), { at, pendingMandate: null });
    return;
  }
  const latest = await lockLatest(context, subscription);
  const dated = pending.plan === null ? billing : withDayOfMonth(billing, bestChargeDay);
  const change = changeToMandate(dated, pending, at, mayStop(latest));
  // While a cycle is open, its payment stays the latest one, because its outcome settles the cycle.
  const requesting = billing.openCycle === null ? await findRequest(context, pending) : undefined;
  await moveSubscription(context, subscription, change, {
    at,
    pendingMandate: null,
    mandateId: pending.mandateId,
    means: { cardId: null, walletCredentialId: null },
    ...(requesting && { payment: requesting }),
    writePayments: async () => {
      const isStopped = change.payment?.kind === 'withdraw' && latest !== null;
      if (isStopped) await stopPayment(context, latest, { by: 'acquirer', at });
    },
  });
}

function logTooLate(
  { deps, merchant }: TransactionContext,
  { id }: Subscription,
  { mandateId }: PendingMandate,
): void {
  const fields = { subscription_id: id, mandate_id: mandateId, merchant_id: merchant.merchantId };
  deps.log.warn(fields, 'a mandate authorized too late is not used');
}

async function findRequest(
  { tx, merchant }: TransactionContext,
  { paymentId }: PendingMandate,
): Promise<Payment> {
  return requireRow((await findPayments(tx, merchant, [paymentId])).get(paymentId));
}

/**
 * Locks the latest payment of a locked subscription. A transaction that moves this payment locks the two in the other
 * order: of two that wait for each other, the database undoes one, which then runs again.
 */
async function lockLatest(
  { tx, merchant }: TransactionContext,
  { latestPaymentId }: Subscription,
): Promise<Payment | null> {
  return latestPaymentId === null ? null : requireRow(await lockPayment(tx, merchant, latestPaymentId));
}

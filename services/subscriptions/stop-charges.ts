import { findOpenMandates } from '../../db/payments/mandates.ts';
import { findOpenOperation } from '../../db/payments/payment-operations.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { findSubscriptionById, lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { capturesOnApproval, hasMandate } from '../../domain/payments/methods/index.ts';
import { createsMandate } from '../../domain/payments/methods/pix-recurring.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { type Deps, type Finish, returnResult, type TransactionContext } from '../deps.ts';
import { beginWholeOperation } from '../payments/begin-operation.ts';
import { beginMandateCancellation } from '../payments/methods/mandates/cancel-mandate.ts';
import { endedWithMandate } from '../payments/methods/mandates/ended-with-mandate.ts';
import { movePayment } from '../payments/move-payment.ts';
import { type BegunOperation, runOperation } from '../payments/run-operation.ts';
import { requireRow } from '../refusal.ts';

/** A subscription with the payments that a change of it can stop, all locked. */
export interface LockedSubscription {
  readonly subscription: Subscription;
  readonly latest: Payment | null;
  /** The payments with which its mandates were requested that have not ended. */
  readonly requests: readonly Payment[];
}

/**
 * Runs `work` in a transaction that has locked a subscription with its payments. `found`: the subscription as read
 * before. Payments are locked before their subscription, in the same order as when they are settled. So the transaction
 * starts again if the subscription has got another payment since it was read.
 */
export async function withLockedPayments<Result>(
  deps: Deps,
  merchant: Merchant,
  found: Subscription,
  work: (context: TransactionContext, locked: LockedSubscription) => Promise<Result>,
): Promise<Result> {
  let read = found;
  for (;;) {
    const done = await deps.db.transaction(merchant, async (tx) => {
      const context = { deps, tx, merchant };
      const locked = await lockWithPayments(context, read);
      return locked && { result: await work(context, locked) };
    });
    if (done !== undefined) return done.result;
    read = requireRow(await findSubscriptionById(deps.db, merchant, found.id));
  }
}

/** Undefined if the subscription has got another payment, or asks for another mandate, since it was read. */
async function lockWithPayments(
  { tx, merchant }: TransactionContext,
  { id, latestPaymentId, pendingMandate }: Subscription,
): Promise<LockedSubscription | undefined> {
  const mandates = await findOpenMandates(tx, merchant, id);
  const requestIds = mandates.map(({ paymentId }) => paymentId);
  const ids = new Set(latestPaymentId === null ? requestIds : [...requestIds, latestPaymentId]);
  const payments = new Map<string, Payment>();
  for (const paymentId of [...ids].sort()) {
    payments.set(paymentId, requireRow(await lockPayment(tx, merchant, paymentId)));
  }
  const subscription = requireRow(await lockSubscription(tx, merchant, id));
  if (subscription.latestPaymentId !== latestPaymentId) return undefined;
  if (subscription.pendingMandate?.paymentId !== pendingMandate?.paymentId) return undefined;
  const latest = latestPaymentId === null ? null : payments.get(latestPaymentId)!;
  return { subscription, latest, requests: requestIds.map((paymentId) => payments.get(paymentId)!) };
}

/**
 * Ends the mandates of a subscription that its merchant changes, and stops its latest payment if that `isStopped`.
 * Returns what is sent to the acquirer after the commit.
 */
export async function stopAll(
  context: TransactionContext,
  { latest, requests }: LockedSubscription,
  { isStopped, at }: { readonly isStopped: boolean; readonly at: Date },
): Promise<BegunOperation[]> {
  const stopped = isStopped ? await stopPayment(context, latest!, { by: 'merchant', at }) : [];
  return [...stopped, ...(await endMandates(context, requests))];
}

/** Whether a payment can be stopped in its state. */
export function mayStop(payment: Payment | null): payment is Payment {
  return payment !== null && (asksForMandate(payment) || mayMove(payment, 'drop') || mayWithdraw(payment));
}

/** A charge that is decided at once cannot be withdrawn. */
function mayWithdraw(payment: Payment): boolean {
  return mayMove(payment, 'withdraw') && !capturesOnApproval(payment);
}

/**
 * Stops the locked payment of a cycle that is not paid yet: here if it was not sent, else at the acquirer, by the job
 * that runs the steps of payments. The merchant's request does not wait for that job if the payment is by a mandate: it
 * sends the cancellation that is returned. `at` is the merchant's time.
 */
export async function stopPayment(
  context: TransactionContext,
  payment: Payment,
  { by, at }: { readonly by: 'merchant' | 'acquirer'; readonly at: Date },
): Promise<BegunOperation[]> {
  // `endMandates` cancels it together with its mandate.
  if (asksForMandate(payment)) return [];
  if (mayMove(payment, 'drop')) {
    const details = by === 'acquirer' ? await endedWithMandate(context, payment) : {};
    await movePayment(context, payment, { by, at }, { move: 'drop', details });
    return [];
  }
  if (!mayWithdraw(payment)) return [];
  const withdrawn = await movePayment(
    context,
    payment,
    { by, at },
    { move: 'withdraw', details: { dueAt: at } },
  );
  return by === 'merchant' && hasMandate(withdrawn) ? beginCancellation(context, withdrawn) : [];
}

async function beginCancellation(context: TransactionContext, payment: Payment): Promise<BegunOperation[]> {
  // While the charge itself has no outcome, the job waits for it.
  if ((await findOpenOperation(context.tx, context.merchant, payment.id)) !== undefined) return [];
  const requested = { kind: 'cancel', move: 'request_cancel', by: 'merchant' } as const;
  return [await beginWholeOperation(context, payment, requested)];
}

function asksForMandate(payment: Payment): boolean {
  return hasMandate(payment) && createsMandate(payment.details);
}

/** Ends the mandates that were requested with these locked payments. */
export async function endMandates(
  context: TransactionContext,
  requests: readonly Payment[],
): Promise<BegunOperation[]> {
  const cancellations: BegunOperation[] = [];
  for (const payment of requests.filter(hasMandate)) {
    const begun = await beginMandateCancellation(context, payment);
    if (begun !== undefined) cancellations.push(begun);
  }
  return cancellations;
}

/**
 * Runs a charge, or the request for a mandate, at the same time as the cancellations that were committed with it. It is
 * sent without waiting for them, because it counts as refused if it is not sent soon.
 */
export async function runWithCancellations<Answer>(
  deps: Deps,
  merchant: Merchant,
  {
    cancellations,
    charge,
  }: { readonly cancellations: readonly BegunOperation[]; readonly charge: BegunOperation },
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  const sent = sendCancellations(deps, merchant, cancellations);
  try {
    return await runOperation(deps, merchant, charge, finish);
  } finally {
    await sent;
  }
}

/**
 * Sends the cancellations of a change that is made at the same time: a charge and the few mandates of a subscription.
 * Those that fail are logged. The reconciler settles them, and those whose outcome is not known.
 */
export async function sendCancellations(
  deps: Deps,
  merchant: Merchant,
  cancellations: readonly BegunOperation[],
): Promise<void> {
  const send = async (begun: BegunOperation) => {
    try {
      await runOperation(deps, merchant, begun, returnResult);
    } catch (error) {
      const { account, kind, reference } = begun.command;
      deps.log.error({ merchant_id: account, operation: kind, reference, err: error }, 'an operation failed');
    }
  };
  await Promise.all(cancellations.map(send));
}

import { setMandatesDue } from '../../db/payments/due-mandates.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { isClosed } from '../../domain/subscriptions/subscription-status.ts';
import type { TransactionContext } from '../deps.ts';

/**
 * Makes the cancellation of the mandates due that a subscription no longer uses after a change: another means of
 * payment replaces them, or no charge follows. They are canceled at the acquirer by a job, unless the caller sends the
 * cancellation itself (`endMandates`).
 */
export async function cancelUnusedMandates(
  { tx, merchant }: TransactionContext,
  before: Subscription,
  after: Subscription,
  at: Date,
): Promise<void> {
  if (isClosed(before.billing.status)) return;
  const used = isClosed(after.billing.status) ? [] : mandatesOf(after);
  if (mandatesOf(before).every((id) => used.includes(id))) return;
  await setMandatesDue(tx, merchant, { subscriptionId: after.id, except: used, dueAt: at });
}

function mandatesOf({ mandateId, pendingMandate }: Subscription): string[] {
  return [mandateId, pendingMandate?.mandateId ?? null].filter((id) => id !== null);
}

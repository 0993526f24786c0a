import { merchantDay } from '../local-time.ts';
import type { Billing, OpenCycle } from './billing.ts';
import { attemptNow, withNewAttempts } from './engine/attempt.ts';
import { type BillingChange, changeOf, makeMoves } from './engine/change.ts';
import { withoutOpenCycle } from './engine/voided-cycle.ts';

/** Whether the first charge of a subscription without a trial is under way. */
export function isFirstCharge({ status, paidCycles, openCycle }: Billing): boolean {
  return status === 'payment_pending' && paidCycles === 0 && openCycle?.cycle === 1;
}

/**
 * Ends a subscription whose first charge failed while its buyer is at the checkout page. It is not retried: the buyer
 * tries again with another card, which starts another subscription, and both would be charged.
 */
export function endAfterFirstFailure(billing: Billing): BillingChange {
  const { cycle } = billing.openCycle as OpenCycle;
  return changeOf(withoutOpenCycle(billing), {
    moves: makeMoves(billing.status, 'acquirer', [{ move: 'record_failure' }, { move: 'end' }]),
    invoices: [{ cycle, move: 'void', by: 'acquirer' }],
  });
}

/**
 * The merchant replaced the means of payment before its first charge failed. The new means is charged at once, and the
 * subscription waits for that charge as for the first one.
 */
export function chargeNewMeans(billing: Billing, now: Date): BillingChange {
  const openCycle = withNewAttempts(billing.openCycle as OpenCycle);
  const next = attemptNow(billing, openCycle, merchantDay(now));
  return changeOf(
    { ...billing, openCycle: { ...openCycle, attempt: null, next } },
    { moves: makeMoves(billing.status, 'acquirer', [{ move: 'record_failure' }]) },
  );
}

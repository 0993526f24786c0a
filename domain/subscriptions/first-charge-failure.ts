import type { Billing, OpenCycle } from './billing.ts';
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

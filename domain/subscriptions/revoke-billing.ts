import type { Billing } from './billing.ts';
import { canWithdraw } from './cancel-billing.ts';
import { type BillingChange, changeOf, makeMoves } from './engine/change.ts';
import { withoutOpenCycle } from './engine/voided-cycle.ts';
import { canceledMandate } from './mandate-terms.ts';
import { subscriptionMachine } from './subscription-moves.ts';

/**
 * Ends a subscription because the payment of its latest paid cycle was refunded in full, or its chargeback was lost.
 * Null if it has ended before, or if the payment is of an earlier cycle.
 */
export function revokeBilling(billing: Billing, cycle: number, now: Date): BillingChange | null {
  const { status, paidCycles, openCycle, endsAt } = billing;
  if (cycle !== paidCycles || !subscriptionMachine.allows('revoke', status)) return null;
  const isWithdrawn = openCycle !== null && canWithdraw(billing, openCycle, now);
  const isUnderWay = openCycle?.attempt != null && !isWithdrawn;
  return changeOf(
    {
      ...(isUnderWay ? billing : withoutOpenCycle(billing)),
      pendingPlan: null,
      // The access of a canceled subscription can end before that.
      endsAt: endsAt !== null && endsAt > now ? now : endsAt,
      mandate: canceledMandate(billing.mandate),
    },
    {
      moves: makeMoves(status, 'acquirer', [{ move: 'revoke' }]),
      invoices:
        openCycle === null || isUnderWay ? [] : [{ cycle: openCycle.cycle, move: 'void', by: 'acquirer' }],
      payment: isWithdrawn ? { kind: 'withdraw', cycle: openCycle.cycle } : null,
    },
  );
}

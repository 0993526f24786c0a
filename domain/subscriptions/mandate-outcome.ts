import type { Billing } from './billing.ts';
import { type BillingChange, changeOf, makeMoves } from './engine/change.ts';

/** The payer authorized the mandate without paying. A trial starts now. */
export function authorizeMandate(billing: Billing): BillingChange {
  const startsTrial = billing.status === 'payment_pending' && billing.trialDays > 0;
  return changeOf(
    { ...billing, mandate: { ...billing.mandate!, state: 'authorized' } },
    { moves: startsTrial ? makeMoves(billing.status, 'acquirer', [{ move: 'start_trial' }]) : [] },
  );
}

/** The mandate was refused. The subscription ends when its QR code expires. */
export function rejectMandate(billing: Billing): BillingChange {
  return changeOf({ ...billing, mandate: { ...billing.mandate!, state: 'rejected' } });
}

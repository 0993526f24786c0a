import { type MandateMove, mandateMachine } from '../payments/mandate-moves.ts';
import type { Billing } from './billing.ts';
import { type BillingChange, changeOf, makeMoves } from './engine/change.ts';
import type { MandateTerms } from './mandate-terms.ts';

/**
 * The payer authorized the mandate without paying. A trial starts now. Null if the mandate is not waiting for the
 * payer, or if it has a first charge: the subscription is authorized when that is paid.
 */
export function authorizeMandate(billing: Billing): BillingChange | null {
  const hasFirstCharge = billing.status === 'payment_pending' && billing.openCycle !== null;
  if (hasFirstCharge) return null;
  const mandate = movedMandate(billing, 'authorize');
  if (mandate === null) return null;
  const startsTrial = billing.status === 'payment_pending' && billing.trialDays > 0;
  return changeOf(
    { ...billing, mandate },
    { moves: startsTrial ? makeMoves(billing.status, 'acquirer', [{ move: 'start_trial' }]) : [] },
  );
}

/**
 * The mandate was refused. The subscription ends when its QR code expires. Null if the mandate is not waiting for the
 * payer.
 */
export function rejectMandate(billing: Billing): BillingChange | null {
  const mandate = movedMandate(billing, 'reject');
  return mandate && changeOf({ ...billing, mandate });
}

/** Null if the move is not allowed: reports can come twice, or after the QR code has expired. */
function movedMandate({ mandate }: Billing, move: MandateMove): MandateTerms | null {
  if (mandate === null || !mandateMachine.allows(move, mandate.state)) return null;
  return { ...mandate, state: mandateMachine.next(move, mandate.state, { by: 'acquirer' }) };
}

import type { PlaceMove } from '../links/place-moves.ts';
import type { Billing } from './billing.ts';

type Start = Pick<Billing, 'status' | 'paidCycles'>;

/**
 * The move of a subscription's place at its payment link; null if the place does not change. A place is counted when
 * the trial starts or the first payment is paid. It is released if the subscription ends before that (contract row
 * 13.14). `before` is null for a new subscription.
 */
export function placeMoveOfSubscription(before: Start | null, after: Start): PlaceMove | null {
  if (before === null) return after.status === 'payment_pending' ? null : 'count';
  if (before.paidCycles === 0 && after.paidCycles > 0) return 'count';
  return before.status === 'payment_pending' && after.status === 'ended' ? 'release' : null;
}

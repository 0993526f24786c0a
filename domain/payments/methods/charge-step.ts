import type { DuePayment } from './method.ts';

/** The step of a charge that the buyer pays. A charge that was withdrawn has a step before its expiry. */
export function stepOfCharge(
  { details }: DuePayment<{ readonly expiresAt: Date }>,
  at: Date,
): 'cancel' | 'expire' {
  return at < details.expiresAt ? 'cancel' : 'expire';
}

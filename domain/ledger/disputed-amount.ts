import { sumOf } from '../money.ts';
import { addUpTo } from './sums.ts';

/** A refund, to compare its times with those of a dispute. */
export interface TimedRefund {
  readonly amount_centavos: number;
  readonly status: 'in_progress' | 'succeeded' | 'denied';
  readonly createdAt: Date;
  /** When the result of a refund was received, if it has one. */
  readonly updatedAt: Date;
}

/**
 * Whether a refund had a result before a time. A result with exactly this time may have come after it: while the clock
 * of a sandbox is advanced, several changes get the same time.
 */
function hasEnded({ status, updatedAt }: TimedRefund, at: Date): boolean {
  return status !== 'in_progress' && updatedAt < at;
}

/** Whether a refund may have had no result at a time. The acquirer may then have subtracted it from a dispute. */
function mayHaveBeenOpen(refund: TimedRefund, at: Date): boolean {
  return !hasEnded(refund, at) && (refund.createdAt <= at || refund.status !== 'denied');
}

/** What the acquirer says that is disputed at a time. */
interface DisputedAmount {
  readonly amount_centavos: number;
  readonly occurredAt: Date;
}

/**
 * The refunds without a result that the acquirer must have subtracted, or null if no choice of them explains the
 * disputed amount. Without them, the amount is what was captured, less the refunds that had succeeded. Refunds that
 * were denied before, or that were requested later and denied, are part of the dispute.
 */
export function subtractedRefunds<R extends TimedRefund>(
  { amount_centavos, occurredAt }: DisputedAmount,
  { captured_centavos }: { readonly captured_centavos: number },
  refunds: readonly R[],
): R[] | null {
  const open = refunds.filter((refund) => mayHaveBeenOpen(refund, occurredAt));
  const refunded = refunds.filter((refund) => hasEnded(refund, occurredAt) && refund.status === 'succeeded');
  const less_centavos = captured_centavos - sumOf(amountsOf(refunded)) - amount_centavos;
  if (!addUpTo(less_centavos, amountsOf(open))) return null;
  return open.filter(
    (refund) => !addUpTo(less_centavos, amountsOf(open.filter((other) => other !== refund))),
  );
}

function amountsOf(refunds: readonly TimedRefund[]): number[] {
  return refunds.map(({ amount_centavos }) => amount_centavos);
}

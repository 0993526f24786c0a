import { addUpTo } from './sums.ts';

/** A refund, to compare its times with those of a dispute. */
export interface TimedRefund {
  readonly amount_centavos: number;
  readonly status: 'in_progress' | 'succeeded' | 'denied';
  readonly createdAt: Date;
  /** Of a refund with a result: when it was received. */
  readonly updatedAt: Date;
}

/** Whether a refund had a result at a time. */
function hasEnded({ status, updatedAt }: TimedRefund, at: Date): boolean {
  return status !== 'in_progress' && updatedAt <= at;
}

/** Whether a refund may have had no result at a time. The acquirer may then have subtracted it from a dispute. */
export function mayHaveBeenOpen(refund: TimedRefund, at: Date): boolean {
  return !hasEnded(refund, at) && (refund.createdAt <= at || refund.status !== 'denied');
}

/**
 * Whether a report from the time `at` can name this amount of a dispute: the captured amount, less the refunds that had
 * succeeded. The acquirer may have subtracted refunds that had no result yet. Refunds that were denied before, or that
 * were requested later and denied, are part of the dispute.
 */
export function mayBeDisputedAmount(
  amount_centavos: number,
  { captured_centavos }: { readonly captured_centavos: number },
  refunds: readonly TimedRefund[],
  at: Date,
): boolean {
  const open = refunds.filter((refund) => mayHaveBeenOpen(refund, at));
  const refunded = refunds.filter((refund) => hasEnded(refund, at) && refund.status === 'succeeded');
  const refunded_centavos = refunded.reduce((sum, refund) => sum + refund.amount_centavos, 0);
  return addUpTo(
    captured_centavos - refunded_centavos - amount_centavos,
    open.map((refund) => refund.amount_centavos),
  );
}

import type { SummedTransfers } from '../../../domain/ledger/settlement-postings.ts';

/** A merchant's day. */
export const DAY = '2026-11-20';

/** An hour of that day in UTC, or of a day after it if it is 24 or more. */
export function hour(at: number): Date {
  return new Date(Date.parse(`${DAY}T00:00:00Z`) + at * 3_600_000);
}

/** What a transaction has written about a payment, at an hour of the day. */
export function summed(
  transactionId: string,
  kind: SummedTransfers['kind'],
  amount_centavos: number,
  reference = 'payment',
  at = 15,
): SummedTransfers {
  return { transactionId, paymentId: 'p', reference, kind, amount_centavos, at: hour(at) };
}

import type { RefundDenial } from './refusal-reasons.ts';

/**
 * After as many refunds of a payment that were not denied, another one must be of everything that is left. Each refund
 * makes the history of the payment longer, and every event of the payment has this history.
 */
export const MAX_PARTIAL_REFUNDS = 100;

export type RefundStatus = 'in_progress' | 'succeeded' | 'denied';

/** A refund of a payment, in whole or in part. */
export interface Refund {
  readonly id: string;
  readonly paymentId: string;
  readonly amount_centavos: number;
  readonly status: RefundStatus;
  readonly reference: string;
  /** The merchant's own words, up to 200 characters. */
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Set when the status is `denied`. */
  readonly denial: RefundDenial | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

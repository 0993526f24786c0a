import { addDays } from '../business-days.ts';
import { endOfMerchantDay, merchantDay } from '../local-time.ts';

/** Why buyers dispute payments. Those that an acquirer names otherwise are `general`. */
export const DISPUTE_REASONS = [
  'fraudulent',
  'unrecognized',
  'product_not_received',
  'product_unacceptable',
  'duplicate',
  'credit_not_processed',
  'subscription_canceled',
  'general',
] as const;

export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** What the acquirer reports about a dispute. The reason and the deadline count when it is opened. */
export interface DisputeNotice {
  /** The acquirer's id of the dispute; null if it names none. */
  readonly reference: string | null;
  /** The reference of the dispute which the payment had before; null if there was none. */
  readonly previousReference: string | null;
  readonly reason: DisputeReason;
  /** Until when the merchant may send evidence; null if the acquirer does not say it. */
  readonly evidenceDueAt: Date | null;
}

/** The reason that an acquirer names. */
export function disputeReason(name: string | null): DisputeReason {
  return DISPUTE_REASONS.find((reason) => reason === name) ?? 'general';
}

/** Days in which a merchant may send evidence, if the acquirer names no deadline. */
const EVIDENCE_DAYS = 7;

/** The end of the seventh merchant's day after the one on which a dispute is opened. */
export function evidenceDeadline(openedAt: Date): Date {
  return endOfMerchantDay(addDays(merchantDay(openedAt), EVIDENCE_DAYS));
}

import type { DisputeReason } from '../payments/dispute-notice.ts';

/** requested: opened by the buyer. dispute: contested by the merchant, or examined by the bank. */
export const DISPUTE_STATUSES = ['requested', 'dispute', 'won', 'lost'] as const;

export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** A dispute of a payment, which the buyer opened with the bank. Times are the merchant's. */
export interface Dispute {
  readonly id: string;
  readonly paymentId: string;
  readonly status: DisputeStatus;
  readonly amount_centavos: number;
  readonly reason: DisputeReason;
  readonly evidenceDueAt: Date;
  /** What the merchant sent and the acquirer accepted, the oldest first. */
  readonly evidence: readonly Evidence[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When it was won or lost. */
  readonly decidedAt: Date | null;
}

/** Evidence against a dispute, in the merchant's words. */
export interface Evidence {
  readonly id: string;
  readonly text: string;
  readonly createdAt: Date;
}

/** How many texts a dispute can have. */
export const MAX_EVIDENCE = 5;

/** Why the merchant cannot send evidence now, as a sentence; null if it can. */
export function whyNoEvidence({ status, evidence, evidenceDueAt }: Dispute, at: Date): string | null {
  if (status === 'won' || status === 'lost') return 'The dispute is decided.';
  if (at >= evidenceDueAt) return 'The time for evidence is over.';
  return evidence.length < MAX_EVIDENCE
    ? null
    : `The dispute has ${MAX_EVIDENCE} texts, the most it can have.`;
}

import { MINUTE_MS } from '../durations.ts';
import type { DisputeReason } from '../payments/dispute-notice.ts';

/** requested: opened by the buyer. dispute: contested by the merchant, or examined by the bank. */
export const DISPUTE_STATUSES = ['requested', 'dispute', 'won', 'lost'] as const;

export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** A dispute of a payment, which the buyer opened with the bank. Times are the merchant's. */
export interface Dispute {
  readonly id: string;
  readonly paymentId: string;
  /** The acquirer's id of it; null if it named none. */
  readonly acquirerReference: string | null;
  readonly status: DisputeStatus;
  readonly amount_centavos: number;
  readonly reason: DisputeReason;
  readonly evidenceDueAt: Date;
  /** The texts of the merchant, the oldest first. */
  readonly evidence: readonly Evidence[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When it was won or lost. */
  readonly decidedAt: Date | null;
}

/** Evidence against a dispute, in the merchant's words. */
export interface Evidence {
  readonly id: string;
  /** False while it is being sent to the acquirer. Merchants do not see it then. */
  readonly isAccepted: boolean;
  readonly text: string;
  readonly createdAt: Date;
}

/** How many texts a dispute can have. */
export const MAX_EVIDENCE = 5;

/** A text that has been on its way to the acquirer for longer does not count: the process that sent it has died. */
const LONGEST_SENDING_MS = MINUTE_MS;

/** The texts that count towards the maximum at `at`: those that were accepted, and those that are being sent. */
export function countedEvidence({ evidence }: Dispute, at: Date): Evidence[] {
  return evidence.filter(
    ({ isAccepted, createdAt }) => isAccepted || at.getTime() - createdAt.getTime() < LONGEST_SENDING_MS,
  );
}

/** Why the merchant cannot send evidence now, as a sentence; null if it can. */
export function whyNoEvidence(dispute: Dispute, at: Date): string | null {
  const { status, evidenceDueAt } = dispute;
  if (status === 'won' || status === 'lost') return 'The dispute is decided.';
  if (at >= evidenceDueAt) return 'The time for evidence is over.';
  return countedEvidence(dispute, at).length < MAX_EVIDENCE
    ? null
    : `A dispute can have at most ${MAX_EVIDENCE} texts.`;
}

import type { DisputeReason } from '../payments/dispute-notice.ts';
import type { EvidenceState } from './evidence-moves.ts';

/** requested: opened by the buyer. dispute: contested by the merchant, or examined by the bank. */
export type DisputeStatus = 'requested' | 'dispute' | 'won' | 'lost';

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
  /** The texts that the acquirer has accepted, in the order in which it did. */
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

/** Evidence as it is sent to the acquirer. It is recorded before it is sent, and settled once. */
export interface SentEvidence extends Evidence {
  readonly disputeId: string;
  /** Our unique reference. */
  readonly reference: string;
  readonly state: EvidenceState;
  /** How often the acquirer was asked for its outcome. */
  readonly attempts: number;
}

/** How many texts a dispute can have. */
const MAX_EVIDENCE = 5;

/** Why no evidence can be sent now, as a sentence; null if it can. */
export function evidenceProblem({ status, evidenceDueAt }: Dispute, at: Date): string | null {
  if (status === 'won' || status === 'lost') return 'The dispute has been decided.';
  return at >= evidenceDueAt ? 'The time for evidence is over.' : null;
}

/** The same for a new text, while the outcome of `pending` others is not known. */
export function newEvidenceProblem(dispute: Dispute, pending: number, at: Date): string | null {
  const problem = evidenceProblem(dispute, at);
  if (problem !== null) return problem;
  const isFull = dispute.evidence.length + pending >= MAX_EVIDENCE;
  return isFull ? `A dispute can have at most ${MAX_EVIDENCE} texts.` : null;
}

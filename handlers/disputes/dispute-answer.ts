import type { Dispute } from '../../domain/disputes/dispute.ts';
import { utcMicros } from '../../domain/local-time.ts';
import type { components } from '../../generated/types.ts';

/** A dispute as in the contract. */
export function disputeAnswer(dispute: Dispute): components['schemas']['Dispute'] {
  return {
    id: dispute.id,
    payment_id: dispute.paymentId,
    status: dispute.status,
    amount: dispute.amount_centavos,
    reason: dispute.reason,
    evidence_due_at: utcMicros(dispute.evidenceDueAt),
    evidence: dispute.evidence.map(({ id, text, createdAt }) => ({
      id,
      text,
      created_at: utcMicros(createdAt),
    })),
    created_at: utcMicros(dispute.createdAt),
    updated_at: utcMicros(dispute.updatedAt),
    decided_at: dispute.decidedAt && utcMicros(dispute.decidedAt),
  };
}

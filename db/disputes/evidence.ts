import type { SentEvidence } from '../../domain/disputes/dispute.ts';
import type { EvidenceState } from '../../domain/disputes/evidence-moves.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Queryable, Tx } from '../engine/database.ts';

/** A row of table dispute_evidence as `EVIDENCE_COLUMNS` reads it. */
export interface EvidenceRow {
  id: string;
  dispute_id: string;
  reference: string;
  state: EvidenceState;
  text: string;
  attempts: number;
  created_at: Date;
}

export const EVIDENCE_COLUMNS = ['id', 'dispute_id', 'reference', 'state', 'text', 'attempts', 'created_at'];

/** Writes evidence before it is sent. `checkAt`: when the reconciler first asks about it (wall time). */
export async function insertEvidence(
  tx: Tx,
  scope: MerchantScope,
  { id, disputeId, reference, text, createdAt }: Omit<SentEvidence, 'state' | 'attempts'>,
  checkAt: Date,
): Promise<SentEvidence> {
  const row = await tx.one<EvidenceRow>(
    scope,
    `insert into dispute_evidence (slot, merchant_id, id, dispute_id, reference, state, text, check_at, created_at)
     values (:slot, :merchant_id, :id, :dispute_id, :reference, 'pending', :text, :check_at, :created_at)
     returning ${EVIDENCE_COLUMNS.join(', ')}`,
    { id, dispute_id: disputeId, reference, text, check_at: checkAt, created_at: createdAt },
  );
  return toSentEvidence(row);
}

/** Evidence by its id, settled or not. */
export async function findEvidence(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<SentEvidence | undefined> {
  const row = await q.maybeOne<EvidenceRow>(
    scope,
    `select ${EVIDENCE_COLUMNS.join(', ')} from dispute_evidence where {scope} and id = :id`,
    { id },
  );
  return row && toSentEvidence(row);
}

/** How many texts of a dispute have no outcome yet. */
export async function countPendingEvidence(tx: Tx, scope: MerchantScope, disputeId: string): Promise<number> {
  const { pending } = await tx.one<{ pending: number }>(
    scope,
    `select count(*)::integer as pending from dispute_evidence
      where {scope} and dispute_id = :dispute_id and state = 'pending'`,
    { dispute_id: disputeId },
  );
  return pending;
}

/** Makes a move of evidence; false when it was not in `from`. The only statement that changes its state. */
export async function moveEvidenceRow(
  tx: Tx,
  scope: MerchantScope,
  { id, from, to }: RowMove<EvidenceState> & { readonly id: string },
): Promise<boolean> {
  const moved = await tx.execute(
    scope,
    'update dispute_evidence set state = :to, check_at = null where {scope} and id = :id and state = any(:from)',
    { id, from, to },
  );
  return moved === 1;
}

/** A row of `EVIDENCE_COLUMNS` as evidence. */
export function toSentEvidence(row: EvidenceRow): SentEvidence {
  return {
    id: row.id,
    disputeId: row.dispute_id,
    reference: row.reference,
    state: row.state,
    text: row.text,
    attempts: row.attempts,
    createdAt: row.created_at,
  };
}

import type { SentEvidence } from '../../domain/disputes/dispute.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type CheckClaim, isCheckDue } from '../due-checks.ts';
import { claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Tx } from '../engine/database.ts';
import { EVIDENCE_COLUMNS, type EvidenceRow, toSentEvidence } from './evidence.ts';

/** Sets when the reconciler asks about pending evidence again (wall time). */
export async function postponeEvidence(
  tx: Tx,
  scope: MerchantScope,
  id: string,
  checkAt: Date,
): Promise<void> {
  await tx.execute(
    scope,
    `update dispute_evidence set check_at = :check_at where {scope} and id = :id and state = 'pending'`,
    { id, check_at: checkAt },
  );
}

/** Slots with evidence that is due by `until` (wall time). Called once per process and round. */
export async function slotsWithOpenEvidence(db: Database, until: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    `select distinct slot from dispute_evidence where state = 'pending' and check_at <= :until`,
    { until },
  );
  return rows.map((row) => row.slot);
}

export interface OpenEvidence extends MerchantScope {
  readonly evidence: SentEvidence;
}

/**
 * Claims pending evidence of one slot that is due by `until`, the longest due first. No other worker gets it before
 * `leasedUntil` (both wall time).
 */
export async function claimOpenEvidence(
  db: Database,
  slot: number,
  claim: CheckClaim,
): Promise<OpenEvidence[]> {
  const rows = await db.slotRows<EvidenceRow & { slot: number; merchant_id: string }>(
    slot,
    `with claimed as materialized (
       select slot, merchant_id, id from dispute_evidence
        where {slot} and state = 'pending' and ${claimCondition()}
          and ${isCheckDue('dispute_evidence', claim.isAdvance)}
        order by check_at limit :limit for update skip locked)
     update dispute_evidence e set check_at = :leased_until, attempts = e.attempts + 1
       from claimed c
      where {slot:e} and e.merchant_id = c.merchant_id and e.id = c.id
     returning e.slot, e.merchant_id, ${EVIDENCE_COLUMNS.map((column) => `e.${column}`).join(', ')}`,
    { ...claimParams(claim), until: claim.until, leased_until: claim.leasedUntil },
  );
  return rows.map((row) => ({
    slot: row.slot,
    merchantId: row.merchant_id,
    evidence: toSentEvidence(row),
  }));
}

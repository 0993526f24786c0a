import { claimOpenEvidence, type OpenEvidence } from '../../db/disputes/open-evidence.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { recordClockStep } from '../clock-steps.ts';
import type { Deps } from '../deps.ts';
import { reconcileBeforeAdvance } from '../payments/reconcile-before-advance.ts';
import { runEvidence } from './run-evidence.ts';

/**
 * Reconciles the pending evidence of one merchant before its clock is advanced, because its time may be over then.
 * Returns how many texts it settled.
 */
export function reconcileEvidenceOf(deps: Deps, scope: MerchantScope): Promise<number> {
  return reconcileBeforeAdvance(deps, scope, {
    claim: (claim) => claimOpenEvidence(deps.db, scope.slot, claim),
    settle: (open) => reconcileEvidence(deps, open),
    fields: ({ evidence }: OpenEvidence) => ({ evidence_id: evidence.id }),
  });
}

/** Settles claimed evidence. Returns false if the acquirer gives no answer. */
export async function reconcileEvidence(deps: Deps, { evidence, ...scope }: OpenEvidence): Promise<boolean> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined) return false;
  return runEvidence(deps, merchant, { evidence, isNew: false }, async (tx, { disputeId, state }) => {
    if (state === 'pending') return false;
    await recordClockStep(deps, tx, merchant, { step: 'reconcile_dispute_evidence', objectId: disputeId });
    return true;
  });
}

import { claimOpenEvidence, type OpenEvidence } from '../../db/disputes/open-evidence.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { recordClockStep } from '../clock-steps.ts';
import type { Deps } from '../deps.ts';
import { firstAdvanceCheck, RECONCILE_LEASE_MS } from '../payments/reconcile-operations.ts';
import { runEvidence } from './run-evidence.ts';

/** The maximum of texts of a merchant whose clock is advanced that are reconciled at the same time. */
const ROUND = 20;

/**
 * Reconciles the pending evidence of one merchant before its clock is advanced, because its time may be over then. Ends
 * when it settles no more, for example because the acquirer does not answer. Returns how many texts it settled.
 */
export async function reconcileEvidenceOf(deps: Deps, scope: MerchantScope): Promise<number> {
  let settled = 0;
  for (;;) {
    const round = await reconcileRound(deps, scope);
    settled += round.settled;
    if (round.settled === 0 || round.claimed < ROUND) return settled;
  }
}

async function reconcileRound(deps: Deps, scope: MerchantScope) {
  const wall = deps.wall();
  const claimed = await claimOpenEvidence(deps.db, scope.slot, {
    only: scope.merchantId,
    except: [],
    until: firstAdvanceCheck(wall),
    leasedUntil: new Date(wall.getTime() + RECONCILE_LEASE_MS),
    limit: ROUND,
    isAdvance: true,
  });
  const results = await Promise.all(claimed.map((open) => settleOrLog(deps, open)));
  return { claimed: claimed.length, settled: results.filter(Boolean).length };
}

/** Logs a failure, so that it does not stop the others. The evidence is claimed again when its lease ends. */
async function settleOrLog(deps: Deps, open: OpenEvidence): Promise<boolean> {
  return reconcileEvidence(deps, open).catch((error: unknown) => {
    const fields = { evidence_id: open.evidence.id, merchant_id: open.merchantId, err: error };
    deps.log.error(fields, 'reconciling failed');
    return false;
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

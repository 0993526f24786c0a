import { countPendingEvidence, findEvidence, insertEvidence } from '../../db/disputes/evidence.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { type Dispute, newEvidenceProblem, type SentEvidence } from '../../domain/disputes/dispute.ts';
import { referenceOfId } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { firstCheckAt } from '../payments/run-operation.ts';
import { notInThisState, requireRow } from '../refusal.ts';
import { findDispute } from './find-dispute.ts';
import { runEvidence } from './run-evidence.ts';

/** Evidence against a dispute, as a merchant sends it. */
export interface NewEvidence {
  /** The id of the evidence. */
  readonly id: string;
  readonly disputeId: string;
  readonly text: string;
}

/**
 * Sends evidence against an open dispute to the acquirer. It is written before, so that simultaneous requests cannot
 * send more texts than a dispute can have, and so that the reconciler settles it if its outcome is not known. The
 * dispute then does not have the text yet. Refusals: `not_found`, `wrong_state`.
 */
export async function submitEvidence<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewEvidence,
  finish: Finish<Dispute, Answer>,
): Promise<Answer> {
  const dispute = await findDispute(deps.db, merchant, input.disputeId);
  const begun = await deps.db.transaction(merchant, (tx) => begin({ deps, tx, merchant }, dispute, input));
  const { isRefused, answer } = await runEvidence(deps, merchant, begun, async (tx, { state }) => {
    const isRefused = state === 'refused';
    const answer = isRefused ? null : await finish(tx, await findDispute(tx, merchant, dispute.id));
    return { isRefused, answer };
  });
  if (isRefused) throw notInThisState('The acquirer did not accept this evidence.');
  return answer as Answer;
}

/** Transaction A: writes the intent. An earlier run of this request may have written it. */
async function begin(
  { deps, tx, merchant }: TransactionContext,
  { id: disputeId, paymentId }: Dispute,
  { id, text }: NewEvidence,
): Promise<{ evidence: SentEvidence; isNew: boolean }> {
  requireRow(await lockPayment(tx, merchant, paymentId));
  const known = await findEvidence(tx, merchant, id);
  if (known !== undefined) return { evidence: known, isNew: false };
  const createdAt = now(deps, merchant);
  const dispute = await findDispute(tx, merchant, disputeId);
  const pending = await countPendingEvidence(tx, merchant, disputeId);
  const problem = newEvidenceProblem(dispute, pending, createdAt);
  if (problem !== null) throw notInThisState(problem);
  const reference = referenceOfId(merchant.slot, id);
  const written = { id, disputeId, reference, text, createdAt };
  const evidence = await insertEvidence(tx, merchant, written, firstCheckAt(deps));
  return { evidence, isNew: true };
}

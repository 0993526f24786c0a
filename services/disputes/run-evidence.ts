import { addEvidence } from '../../db/disputes/disputes.ts';
import { findEvidence, moveEvidenceRow } from '../../db/disputes/evidence.ts';
import { postponeEvidence } from '../../db/disputes/open-evidence.ts';
import { findPayment, lockPayment } from '../../db/payments/payments.ts';
import { type Dispute, evidenceProblem, type SentEvidence } from '../../domain/disputes/dispute.ts';
import { evidenceMachine } from '../../domain/disputes/evidence-moves.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { inquiryPause_ms } from '../../domain/payments/inquiry-schedule.ts';
import type { EvidenceInquiryOutcome } from '../../gateway/acquirer.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { movePayment } from '../payments/move-payment.ts';
import { RECOVERY_POINTS } from '../recovery-points.ts';
import { requireRow } from '../refusal.ts';
import { findDispute } from './find-dispute.ts';

/** Evidence that is written. */
interface BegunEvidence {
  readonly evidence: SentEvidence;
  /** It was not sent before. */
  readonly isNew: boolean;
}

/**
 * Sends written evidence to the acquirer, or asks for its outcome if it was sent before, and writes the outcome
 * together with the answer. No transaction is open and no lock is held during the call. Evidence without an outcome
 * stays `pending`.
 */
export async function runEvidence<Answer>(
  deps: Deps,
  merchant: Merchant,
  { evidence, isNew }: BegunEvidence,
  finish: Finish<SentEvidence, Answer>,
): Promise<Answer> {
  if (evidence.state !== 'pending') return deps.db.transaction(merchant, (tx) => finish(tx, evidence));
  deps.reached(RECOVERY_POINTS.intentCommitted);
  const dispute = await findDispute(deps.db, merchant, evidence.disputeId);
  const outcome = isNew
    ? await send(deps, merchant, dispute, { evidence, requestedAt: evidence.createdAt })
    : await askOrSend(deps, merchant, dispute, evidence);
  deps.reached(RECOVERY_POINTS.acquirerAnswered);
  const answer = await deps.db.transaction(merchant, async (tx) =>
    finish(tx, await writeOutcome({ deps, tx, merchant }, dispute, evidence.id, outcome)),
  );
  deps.reached(RECOVERY_POINTS.outcomeCommitted);
  return answer;
}

/**
 * Evidence that the acquirer has not received is sent under the same reference, so it is accepted once, even if another
 * process sends it at the same time. If it may not be sent any more, the acquirer refuses the reference from now on
 * (`seal`), even if the evidence is still on its way.
 */
async function askOrSend(
  deps: Deps,
  merchant: Merchant,
  dispute: Dispute,
  evidence: SentEvidence,
): Promise<EvidenceInquiryOutcome> {
  const requestedAt = now(deps, merchant);
  const seal = evidenceProblem(dispute, requestedAt) !== null;
  const { reference } = evidence;
  const outcome = await deps.acquirer.inquireEvidence({ reference, account: merchant.merchantId, seal });
  if (seal || outcome.kind !== 'not_found') return outcome;
  return send(deps, merchant, dispute, { evidence, requestedAt });
}

async function send(
  deps: Deps,
  merchant: Merchant,
  { paymentId, acquirerReference }: Dispute,
  { evidence, requestedAt }: { readonly evidence: SentEvidence; readonly requestedAt: Date },
) {
  const payment = requireRow(await findPayment(deps.db, merchant, paymentId));
  return deps.acquirer.perform({
    kind: 'dispute_evidence',
    reference: evidence.reference,
    account: merchant.merchantId,
    requestedAt,
    paymentReference: payment.reference,
    disputeReference: acquirerReference,
    text: evidence.text,
  });
}

/** Writes the outcome of evidence, in transaction B. Returns the evidence after it. */
async function writeOutcome(
  context: TransactionContext,
  { id: disputeId, paymentId }: Dispute,
  id: string,
  outcome: EvidenceInquiryOutcome,
): Promise<SentEvidence> {
  const { deps, tx, merchant } = context;
  const payment = requireRow(await lockPayment(tx, merchant, paymentId));
  const evidence = requireRow(await findEvidence(tx, merchant, id));
  // Another process may have settled it in the meantime.
  if (evidence.state !== 'pending') return evidence;
  if (outcome.kind === 'unknown') {
    const pause_ms = inquiryPause_ms('unknown', { isRefund: false, attempts: evidence.attempts });
    await postponeEvidence(tx, merchant, id, new Date(deps.wall().getTime() + pause_ms));
    return evidence;
  }
  // `pending`: the acquirer has it, and handles it later. It reports no later result.
  const isAccepted = outcome.kind === 'approved' || outcome.kind === 'pending';
  const move = evidenceMachine.rowMove(isAccepted ? 'accept' : 'refuse', 'acquirer');
  await moveEvidenceRow(tx, merchant, { id, ...move });
  if (isAccepted) {
    const at = now(deps, merchant);
    await addEvidence(tx, merchant, disputeId, evidence, at);
    const { status } = await findDispute(tx, merchant, disputeId);
    // The first evidence moves the payment, and the dispute with it.
    if (status === 'requested') {
      await movePayment(context, payment, { by: 'acquirer', at }, { move: 'dispute_chargeback' });
    }
  }
  return { ...evidence, state: move.to };
}

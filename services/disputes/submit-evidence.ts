import { addEvidence } from '../../db/disputes/disputes.ts';
import { findPayment, lockPayment } from '../../db/payments/payments.ts';
import { type Dispute, type Evidence, whyNoEvidence } from '../../domain/disputes/dispute.ts';
import { referenceOfId } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { movePayment } from '../payments/move-payment.ts';
import { notInThisState, Refusal, requireRow } from '../refusal.ts';
import { findDispute } from './find-dispute.ts';

/** Evidence against a dispute, as a merchant sends it. */
export interface NewEvidence {
  /** The id of the evidence. */
  readonly id: string;
  readonly disputeId: string;
  readonly text: string;
}

const RETRY_AFTER_S = 5;

/**
 * Sends evidence against an open dispute to the acquirer, and stores it when the acquirer has accepted it. No money
 * moves, and the reference follows from the id of the evidence, so a request without an outcome can be sent again.
 * Refusals: `not_found`, `wrong_state`, `unavailable`.
 */
export async function submitEvidence<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, disputeId, text }: NewEvidence,
  finish: Finish<Dispute, Answer>,
): Promise<Answer> {
  const dispute = await findDispute(deps.db, merchant, disputeId);
  // An earlier run of this request may have ended before it answered.
  if (hasEvidence(dispute, id)) return deps.db.transaction(merchant, (tx) => finish(tx, dispute));
  const at = now(deps, merchant);
  const evidence: Evidence = { id, text, createdAt: at };
  const why = whyNoEvidence(dispute, at);
  if (why !== null) throw notInThisState(why);
  await send(deps, merchant, dispute, evidence);
  return deps.db.transaction(merchant, async (tx) => {
    const stored = await store({ deps, tx, merchant }, dispute, evidence);
    return finish(tx, stored);
  });
}

function hasEvidence(dispute: Dispute, id: string): boolean {
  return dispute.evidence.some((evidence) => evidence.id === id);
}

async function send(deps: Deps, merchant: Merchant, dispute: Dispute, evidence: Evidence): Promise<void> {
  const payment = requireRow(await findPayment(deps.db, merchant, dispute.paymentId));
  const outcome = await deps.acquirer.perform({
    kind: 'dispute_evidence',
    reference: referenceOfId(merchant.slot, evidence.id),
    account: merchant.merchantId,
    requestedAt: evidence.createdAt,
    paymentReference: payment.reference,
    text: evidence.text,
  });
  if (outcome.kind === 'refused') throw notInThisState('The acquirer accepts no evidence for this dispute.');
  if (outcome.kind === 'approved') return;
  throw new Refusal('unavailable', {
    message: 'The acquirer does not answer at the moment. Send the evidence again.',
    retryAfter_s: RETRY_AFTER_S,
  });
}

/** The first evidence moves the payment, and the dispute with it. */
async function store(context: TransactionContext, { id, paymentId }: Dispute, evidence: Evidence) {
  const { tx, merchant } = context;
  const payment = requireRow(await lockPayment(tx, merchant, paymentId));
  const current = await findDispute(tx, merchant, id);
  if (hasEvidence(current, evidence.id)) return current;
  await addEvidence(tx, merchant, id, evidence);
  if (current.status === 'requested') {
    const by = { by: 'acquirer', at: evidence.createdAt } as const;
    await movePayment(context, payment, by, { move: 'dispute_chargeback' });
  }
  return findDispute(tx, merchant, id);
}

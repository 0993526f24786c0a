import { writeEvidence } from '../../db/disputes/disputes.ts';
import { findPayment, lockPayment } from '../../db/payments/payments.ts';
import {
  countedEvidence,
  type Dispute,
  type Evidence,
  whyNoEvidence,
} from '../../domain/disputes/dispute.ts';
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
 * Sends evidence against an open dispute to the acquirer. The text is written before it is sent, so that simultaneous
 * requests cannot send more texts than a dispute can have, and removed if the acquirer does not accept it. No money
 * moves, and the reference follows from the id of the evidence, so a request without an outcome can be sent again.
 * Refusals: `not_found`, `wrong_state`, `unavailable`.
 */
export async function submitEvidence<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewEvidence,
  finish: Finish<Dispute, Answer>,
): Promise<Answer> {
  const dispute = await findDispute(deps.db, merchant, input.disputeId);
  const evidence = await deps.db.transaction(merchant, (tx) =>
    addEvidence({ deps, tx, merchant }, dispute, input),
  );
  // An earlier run of this request may have ended before it answered.
  const refusal = evidence.isAccepted ? null : await send(deps, merchant, dispute, evidence);
  if (refusal !== null) {
    await deps.db.transaction(merchant, (tx) => removeEvidence({ deps, tx, merchant }, dispute, evidence));
    throw refusal;
  }
  return deps.db.transaction(merchant, async (tx) =>
    finish(tx, await acceptEvidence({ deps, tx, merchant }, dispute, evidence)),
  );
}

/** Why the acquirer did not accept the evidence; null if it did. */
async function send(
  deps: Deps,
  merchant: Merchant,
  dispute: Dispute,
  evidence: Evidence,
): Promise<Refusal | null> {
  const payment = requireRow(await findPayment(deps.db, merchant, dispute.paymentId));
  const outcome = await deps.acquirer.perform({
    kind: 'dispute_evidence',
    reference: referenceOfId(merchant.slot, evidence.id),
    account: merchant.merchantId,
    requestedAt: evidence.createdAt,
    paymentReference: payment.reference,
    text: evidence.text,
  });
  // `pending`: the acquirer has it, and handles it later. It reports no later result.
  if (outcome.kind === 'approved' || outcome.kind === 'pending') return null;
  if (outcome.kind === 'refused') return notInThisState('The acquirer accepts no evidence for this dispute.');
  return new Refusal('unavailable', {
    message: 'The acquirer does not answer at the moment. Send the evidence again.',
    retryAfter_s: RETRY_AFTER_S,
  });
}

/** Writes evidence that is about to be sent. Returns it as it was written before if this is a repeated request. */
async function addEvidence(
  context: TransactionContext,
  dispute: Dispute,
  { id, text }: NewEvidence,
): Promise<Evidence> {
  const { current } = await lockDispute(context, dispute);
  const known = current.evidence.find((evidence) => evidence.id === id);
  if (known !== undefined) return known;
  const at = now(context.deps, context.merchant);
  const why = whyNoEvidence(current, at);
  if (why !== null) throw notInThisState(why);
  const added = { id, text, createdAt: at, isAccepted: false };
  await writeEvidence(context.tx, context.merchant, {
    ...current,
    evidence: [...countedEvidence(current, at), added],
  });
  return added;
}

async function removeEvidence(
  context: TransactionContext,
  dispute: Dispute,
  { id }: Evidence,
): Promise<void> {
  const { current } = await lockDispute(context, dispute);
  const evidence = current.evidence.filter((each) => each.id !== id || each.isAccepted);
  await writeEvidence(context.tx, context.merchant, { ...current, evidence });
}

/**
 * Marks evidence as accepted. The first one moves the payment, and the dispute with it. Returns the dispute after it.
 */
async function acceptEvidence(
  context: TransactionContext,
  dispute: Dispute,
  evidence: Evidence,
): Promise<Dispute> {
  const { tx, merchant } = context;
  const { current, payment } = await lockDispute(context, dispute);
  const isThis = ({ id }: Evidence) => id === evidence.id;
  if (current.evidence.find(isThis)?.isAccepted) return current;
  // In the order in which the texts are accepted, so that what a merchant sees only grows at its end.
  const others = current.evidence.filter((each) => !isThis(each));
  const before = others.filter(({ isAccepted }) => isAccepted);
  const sending = others.filter(({ isAccepted }) => !isAccepted);
  await writeEvidence(tx, merchant, {
    ...current,
    evidence: [...before, { ...evidence, isAccepted: true }, ...sending],
    updatedAt: evidence.createdAt,
  });
  if (current.status === 'requested') {
    const by = { by: 'acquirer', at: evidence.createdAt } as const;
    await movePayment(context, payment, by, { move: 'dispute_chargeback' });
  }
  return findDispute(tx, merchant, current.id);
}

/** The dispute and its payment, under the lock of the payment. */
async function lockDispute({ tx, merchant }: TransactionContext, { id, paymentId }: Dispute) {
  const payment = requireRow(await lockPayment(tx, merchant, paymentId));
  return { payment, current: await findDispute(tx, merchant, id) };
}

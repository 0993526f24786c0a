import { type Answer, decide, ReferenceReused, repeatAnswer } from './answers.ts';
import { type Queryable, type Tx, transaction } from './database.ts';
import { disputeChangesOf } from './dispute-changes.ts';
import { acquirerRefusal } from './operation-rules.ts';
import { insertOperation, type Operation } from './operations.ts';
import { changePayment, lockPayment, type Payment } from './payments.ts';
import type { Simulator } from './simulator.ts';

/** A request to accept evidence against the dispute of a payment. */
export interface EvidenceRequest extends Operation {
  readonly kind: 'dispute_evidence';
  readonly paymentReference: string;
  /** Null: the open dispute of the payment. */
  readonly disputeId: string | null;
  readonly text: string;
}

/** Accepts evidence against an open dispute, until its deadline. The bank then examines the dispute. */
export async function acceptEvidence(simulator: Simulator, request: EvidenceRequest): Promise<Answer> {
  const recorded = await transaction(simulator.pool, async (tx, rollback) => {
    const payment = await lockPayment(tx, request.account, request.paymentReference);
    const decision = decide({ outcome: 'approve' }, await refusalOf(tx, payment, request));
    if (!(await insertOperation(tx, request, decision.recorded))) rollback();
    if (payment !== null && decision.recorded?.status === 'approved') {
      await insertText(tx, request);
      await changePayment(tx, payment, { chargeback: 'dispute' });
    }
    return decision;
  });
  if (recorded !== null) return recorded;
  const answer = await repeatAnswer(simulator.pool, request);
  const text = await textOf(simulator.pool, request);
  if (text !== null && text !== request.text) throw new ReferenceReused();
  return answer;
}

async function refusalOf(tx: Tx, payment: Payment | null, { disputeId, requestedAt }: EvidenceRequest) {
  if (payment === null || !isDisputed(payment)) return acquirerRefusal('not_disputed');
  if (disputeId !== null && disputeId !== payment.disputeId) return acquirerRefusal('not_disputed');
  const changes = await disputeChangesOf(tx, payment);
  const dueAt = changes.findLast(({ state }) => state === 'requested')?.dispute.evidence_due_at ?? null;
  const isTooLate = dueAt !== null && requestedAt >= new Date(dueAt);
  return isTooLate ? acquirerRefusal('evidence_too_late') : null;
}

function isDisputed({ chargeback }: Payment): boolean {
  return chargeback === 'requested' || chargeback === 'dispute';
}

async function insertText(tx: Tx, { account, reference, paymentReference, text }: EvidenceRequest) {
  await tx.query({
    name: 'insert-evidence',
    text: `insert into simulator.dispute_evidence (account, reference, payment_reference, text)
      values ($1, $2, $3, $4)`,
    values: [account, reference, paymentReference, text],
  });
}

/** Null for evidence that was refused, or accepted before texts were stored. */
async function textOf(q: Queryable, { account, reference }: EvidenceRequest): Promise<string | null> {
  const { rows } = await q.query<{ text: string }>({
    name: 'evidence-text',
    text: 'select text from simulator.dispute_evidence where account = $1 and reference = $2',
    values: [account, reference],
  });
  return rows[0]?.text ?? null;
}

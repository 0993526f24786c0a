import { type Answer, decide, repeatAnswer } from './answers.ts';
import { transaction } from './database.ts';
import { acquirerRefusal } from './operation-rules.ts';
import { insertOperation, type Operation } from './operations.ts';
import { changePayment, lockPayment, type Payment } from './payments.ts';
import type { Simulator } from './simulator.ts';

/** A request to accept evidence against the dispute of a payment. */
export interface EvidenceRequest extends Operation {
  readonly kind: 'dispute_evidence';
  readonly paymentReference: string;
}

/** Accepts evidence against an open dispute. The bank then examines the dispute. The text is not stored. */
export async function acceptEvidence(simulator: Simulator, request: EvidenceRequest): Promise<Answer> {
  const recorded = await transaction(simulator.pool, async (tx, rollback) => {
    const payment = await lockPayment(tx, request.account, request.paymentReference);
    const disputed = payment !== null && isDisputed(payment) ? payment : null;
    const decision = decide(
      { outcome: 'approve' },
      disputed === null ? acquirerRefusal('not_disputed') : null,
    );
    if (!(await insertOperation(tx, request, decision.recorded))) rollback();
    if (disputed !== null) await changePayment(tx, disputed, { chargeback: 'dispute' });
    return decision;
  });
  return recorded ?? repeatAnswer(simulator.pool, request);
}

function isDisputed({ chargeback }: Payment): boolean {
  return chargeback === 'requested' || chargeback === 'dispute';
}

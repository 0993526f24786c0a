import type { WireCharge } from '../wire-charge.ts';
import { answerWithSubject } from './answers.ts';
import { disputeChangesOf } from './dispute-changes.ts';
import { SIMULATED_METHODS } from './methods/index.ts';
import { readOperation, sealOperation } from './operations.ts';
import { findPayment, type Payment } from './payments.ts';
import type { Simulator } from './simulator.ts';

/**
 * The outcome of the operation with a reference, what has become of a charge or a request for a mandate, and what has
 * happened in the disputes of a payment. With `seal`, a reference that was never recorded is refused from now on: the
 * seal and a late request insert the same row, so exactly one of them succeeds.
 */
export async function inquire(
  { pool }: Simulator,
  { account, reference, seal }: { account: string; reference: string; seal: boolean },
): Promise<object> {
  if (seal) await sealOperation(pool, account, reference);
  const operation = await readOperation(pool, account, reference);
  const answer = operation && answerWithSubject(operation, operation).outcome;
  if (!answer) return { status: 'not_found' };
  if (answer.status !== 'approved' || operation.paymentReference !== null) return answer;
  const payment = await findPayment(pool, account, reference);
  if (!payment) return answer;
  const disputes = payment.chargeback === 'none' ? [] : await disputeChangesOf(pool, payment);
  return {
    ...answer,
    ...(SIMULATED_METHODS[payment.method].type !== 'authorization' && { charge: chargeOf(payment) }),
    ...(disputes.length > 0 && { disputes }),
  };
}

/** The states in which a charge that was accepted can be. */
const STATES: Readonly<Partial<Record<Payment['state'], WireCharge['state']>>> = {
  captured: 'paid',
  authorized: 'authorized',
  refused: 'refused',
  expired: 'expired',
  voided: 'canceled',
};

function chargeOf(payment: Payment): WireCharge {
  const { amount_centavos, refusal, endToEndId, mandate } = payment;
  const occurredAt = payment.capturedAt ?? payment.endedAt;
  // Its payer has authorized the mandate.
  const isAccepted = payment.state === 'captured' || payment.state === 'authorized';
  return {
    state: STATES[payment.state] ?? 'open',
    amount_centavos,
    refusal,
    end_to_end_id: endToEndId,
    occurred_at: occurredAt?.toISOString() ?? null,
    ...(isAccepted && mandate !== null && { mandate: { charge_code: mandate.chargeCode } }),
  };
}

import { wasNotified } from '../../db/payments/acquirer-notifications.ts';
import { findPayment } from '../../db/payments/payments.ts';
import { findOpenRefund } from '../../db/payments/refunds.ts';
import { timeOfUuidV7 } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { DISPUTE_REASONS } from '../../domain/payments/dispute-notice.ts';
import { refusalCodes } from '../../domain/payments/methods/index.ts';
import { CHARGE_FAMILIES } from '../../domain/payments/methods/method.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { CardRefusalCode } from '../../domain/payments/refusal-reasons.ts';
import type { NotificationType } from '../../gateway/acquirer.ts';
import type { SimulatedOutcome } from '../../gateway/sandbox-control.ts';
import { callSandbox } from '../call-sandbox.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { getPayment } from '../payments/get-payment.ts';
import { invalid, notInThisState, requireRow } from '../refusal.ts';

export interface Simulation {
  /** The id of the request. */
  readonly id: string;
  readonly isRerun: boolean;
  /** Id, hash, order code or Pix txid. */
  readonly paymentIdentifier: string;
  readonly outcome: SimulatedOutcome;
  readonly reason: string | null;
}

/** The notifications with which the acquirer reports each outcome. */
const NOTIFICATIONS: Readonly<Record<SimulatedOutcome, readonly NotificationType[]>> = {
  paid: [...CHARGE_FAMILIES.map((family) => `${family}.paid` as const), 'authorization.approved'],
  refused: [
    ...CHARGE_FAMILIES.map((family) => `${family}.refused` as const),
    ...(['mandate.rejected', 'authorization.refused'] as const),
  ],
  expired: CHARGE_FAMILIES.map((family) => `${family}.expired` as const),
  fraud: ['authorization.fraud_detected'],
  refund_succeeded: ['refund.approved'],
  refund_denied: ['refund.refused'],
  cancel_confirmed: ['cancel.approved'],
  chargeback_requested: ['chargeback.requested'],
  chargeback_dispute: ['chargeback.dispute'],
  chargeback_won: ['chargeback.won'],
  chargeback_lost: ['chargeback.lost'],
};

/** The reasons of the outcomes that have one; those of `refused` depend on the payment. */
const REASONS: Readonly<Partial<Record<SimulatedOutcome, readonly string[]>>> = {
  fraud: ['fraud'] satisfies CardRefusalCode[],
  chargeback_requested: DISPUTE_REASONS,
};

/**
 * Simulates an outcome of a payment at the acquirer, and returns the payment after the acquirer's notification was
 * applied. Refusals: `not_found`, field `reason`, `wrong_state` for what the acquirer does not allow, `unavailable`.
 */
export async function simulatePayment<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: Simulation,
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  const { outcome, reason } = input;
  const payment = await getPayment(deps, merchant, input.paymentIdentifier);
  const { id: paymentId, status } = payment;
  if (reason !== null) assertReason(payment, outcome, reason);
  if (status === 'scheduled') {
    throw notInThisState('A scheduled payment cannot be simulated before it is sent to the acquirer.');
  }
  if (!(await wasSimulated(deps, merchant, input, paymentId))) {
    const reference = await referenceFor(deps, merchant, outcome, paymentId);
    const simulation = {
      account: merchant.merchantId,
      reference,
      outcome,
      reason,
      occurredAt: now(deps, merchant),
    };
    const simulated = await callSandbox(deps, (sandbox) => sandbox.simulate(simulation));
    if (simulated.kind === 'not_allowed') throw notInThisState(simulated.why);
  }
  return deps.db.transaction(merchant, async (tx) =>
    finish(tx, requireRow(await findPayment(tx, merchant, paymentId))),
  );
}

function assertReason(payment: Payment, outcome: SimulatedOutcome, reason: string): void {
  const reasons = outcome === 'refused' ? refusalCodes(payment) : REASONS[outcome];
  if (reasons === undefined) {
    throw invalid({ reason: 'Only refused, fraud and chargeback_requested have a reason.' });
  }
  if (!reasons.includes(reason)) throw invalid({ reason: `Must be one of: ${reasons.join(', ')}.` });
}

/** Whether an earlier run of this request simulated the outcome, and ended before it answered. */
async function wasSimulated(deps: Deps, merchant: Merchant, input: Simulation, paymentId: string) {
  if (!input.isRerun) return false;
  const since = timeOfUuidV7(input.id);
  return wasNotified(deps.db, merchant, { paymentId, types: NOTIFICATIONS[input.outcome], since });
}

/** The reference of the refund for outcomes of refunds, of the payment for all others. */
async function referenceFor(
  deps: Deps,
  merchant: Merchant,
  outcome: SimulatedOutcome,
  paymentId: string,
): Promise<string> {
  if (outcome !== 'refund_succeeded' && outcome !== 'refund_denied') {
    return requireRow(await findPayment(deps.db, merchant, paymentId)).reference;
  }
  const refund = await findOpenRefund(deps.db, merchant, paymentId);
  if (refund === undefined) throw notInThisState('The payment has no refund in progress.');
  return refund.reference;
}

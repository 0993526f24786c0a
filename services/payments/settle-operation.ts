import { markCardAuthorized } from '../../db/cards/cards.ts';
import type { Tx } from '../../db/engine/database.ts';
import type { PaymentPatch } from '../../db/payments/payment-patch.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import { mayMove } from '../../domain/payments/payment-transitions.ts';
import { cardRefusal, type PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { CardApproval, PixChargeApproval } from '../../gateway/acquirer.ts';
import { type Deps, now } from '../deps.ts';
import type { FinalOutcome } from './final-outcome.ts';
import { movePayment, movePaymentThrough, type PaymentStepChange, patchWithoutMove } from './move-payment.ts';
import { pixQr } from './pix-qr.ts';
import { settleRefund } from './settle-refund.ts';

/**
 * Moves the locked payment of an operation that was settled just now, and writes the events: transaction B of "how money
 * moves". Called by the gate alone (`apply-report.ts`), which has checked that the payment may move so. Resolves to the
 * payment as it is then.
 */
export function settlePayment(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  payment: Payment,
  operation: PaymentOperation,
  outcome: FinalOutcome,
): Promise<Payment> {
  const step: Step = { deps, tx, merchant, payment, at: now(deps, merchant) };
  switch (operation.kind) {
    case 'authorize':
      return outcome.kind === 'approved' ? authorized(step, outcome) : refused(step, outcome.refusal);
    case 'pix_charge':
      return outcome.kind === 'approved' ? charged(step, outcome) : refused(step, outcome.refusal);
    case 'capture':
      return outcome.kind === 'approved' ? captured(step, operation) : captureFailed(step);
    case 'cancel':
      return outcome.kind === 'approved' ? canceled(step) : cancelFailed(step);
    case 'refund':
      return settleRefund(deps, tx, merchant, payment, operation, outcome);
  }
}

interface Step {
  readonly deps: Deps;
  readonly tx: Tx;
  readonly merchant: Merchant;
  readonly payment: Payment;
  readonly at: Date;
}

async function authorized(step: Step, approval: Partial<CardApproval>): Promise<Payment> {
  const { deps, tx, merchant, payment, at } = step;
  const { cardId, manualCapture } = payment.card!;
  const marked = markCardAuthorized(tx, merchant, cardId, at);
  const move = manualCapture ? 'pre_authorize' : 'authorize';
  // A notification that arrived before this answer (fraud, say) has moved the payment already.
  if (!mayMove(move, payment.status)) {
    await marked;
    return payment;
  }
  const changes: PaymentStepChange[] = [
    { move, patch: { authorization_code: approval.authorizationCode ?? null } },
  ];
  if (!manualCapture) {
    changes.push({ move: 'settle', patch: { captured_centavos: payment.amount_centavos } });
  }
  const [moved] = await Promise.all([movePaymentThrough(deps, tx, merchant, payment, changes, at), marked]);
  return moved;
}

async function refused(step: Step, refusal: PaymentRefusal): Promise<Payment> {
  const { deps, tx, merchant, payment, at } = step;
  const move = refusal.code === 'fraud' ? 'suspect_fraud' : 'refuse';
  if (!mayMove(move, payment.status)) return payment;
  // In the contract's words: the acquirer has codes of its own for what its books refuse (a sealed reference, say).
  const patch = refusalPatch(cardRefusal(refusal.code));
  return movePayment(deps, tx, merchant, payment, move, { patch, at });
}

async function charged(step: Step, approval: Partial<PixChargeApproval>): Promise<Payment> {
  const { deps, tx, merchant, payment, at } = step;
  const patch = { ...pixQr(payment, approval), due_at: payment.pix!.expiresAt };
  if (mayMove('await_payment', payment.status)) {
    return movePayment(deps, tx, merchant, payment, 'await_payment', { patch, at });
  }
  return addDetails(deps, tx, merchant, payment, { kind: 'approved', ...approval });
}

async function captured(step: Step, operation: PaymentOperation): Promise<Payment> {
  const { deps, tx, merchant, payment, at } = step;
  const patch = { captured_centavos: operation.amount_centavos };
  return movePayment(deps, tx, merchant, payment, 'capture', { patch, at });
}

async function captureFailed(step: Step): Promise<Payment> {
  const { deps, tx, merchant, payment, at } = step;
  if (!mayMove('fail_capture', payment.status)) return payment;
  return movePayment(deps, tx, merchant, payment, 'fail_capture', { at });
}

async function canceled(step: Step): Promise<Payment> {
  const { deps, tx, merchant, payment, at } = step;
  // The acquirer released it by itself, and reported that first.
  if (payment.status === 'canceled') return payment;
  return movePayment(deps, tx, merchant, payment, 'cancel', { patch: { due_at: null }, at });
}

async function cancelFailed(step: Step): Promise<Payment> {
  const { deps, tx, merchant, payment, at } = step;
  const open = payment.method === 'pix' ? 'waiting_payment' : 'pre_authorized';
  const to = mayMove('fail_cancel', payment.status, open) ? open : payment.status;
  if (!mayMove('fail_cancel', payment.status, to)) return payment;
  return movePayment(deps, tx, merchant, payment, 'fail_cancel', { to, at });
}

/** A refusal as the payment's columns hold it. */
export function refusalPatch(refusal: PaymentRefusal): PaymentPatch {
  return {
    refusal_code: refusal.code,
    refusal_message: refusal.message,
    refusal_retryable: refusal.retryable,
    due_at: null,
  };
}

/** Adds what an approval brings beside the status, where the report that settled the operation lacked it. */
export async function addDetails(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  payment: Payment,
  outcome: FinalOutcome | undefined,
): Promise<Payment> {
  if (outcome?.kind !== 'approved') return payment;
  const patch: PaymentPatch = {
    ...(payment.pix !== null && payment.pix.qrCode === null ? pixQr(payment, outcome) : {}),
    ...(payment.card !== null &&
    payment.card.authorizationCode === null &&
    outcome.authorizationCode !== undefined
      ? { authorization_code: outcome.authorizationCode }
      : {}),
  };
  if (Object.keys(patch).length === 0) return payment;
  return patchWithoutMove(deps, tx, merchant, payment, patch);
}

import { refusedBefore, wasRefusedBefore } from '../../db/payments/payment-operations.ts';
import { afterFailure, isRepeatedCancellation } from '../../domain/payments/clock-step.ts';
import { refusalOf } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import { NOT_RECEIVED, type PaymentOperation } from '../../domain/payments/payment-operation.ts';
import type { RequestedMove } from '../../domain/payments/plan-moves.ts';
import type { ApprovalDetails } from '../../gateway/acquirer.ts';
import { now, type TransactionContext } from '../deps.ts';
import { addMove } from './add-move.ts';
import type { FinalOutcome } from './final-outcome.ts';
import { methodModule } from './methods/index.ts';
import { applyMandateCancellation, applyRefusedMandateCancellation } from './methods/mandates/end-mandate.ts';
import { endedWithMandate } from './methods/mandates/ended-with-mandate.ts';
import { movePayment } from './move-payment.ts';
import { nextTryAt } from './next-try.ts';
import { settleRefund } from './settle-refund.ts';

/**
 * Moves the locked payment of an operation that was settled just now, and writes the events, in transaction B. Only
 * `apply-report.ts` calls it, after it has checked that the outcome fits the payment.
 */
export function settlePayment(
  context: TransactionContext,
  payment: Payment,
  operation: PaymentOperation,
  outcome: FinalOutcome,
): Promise<Payment> {
  switch (operation.kind) {
    case 'capture':
      return outcome.kind === 'approved'
        ? applyCapture(context, payment, operation)
        : applyFailure(context, payment, operation, outcome);
    case 'cancel':
      return outcome.kind === 'approved'
        ? applyCancel(context, payment)
        : applyFailure(context, payment, operation, outcome);
    case 'cancel_mandate':
      if (outcome.kind === 'approved') return applyMandateCancellation(context, payment);
      return applyRefusedMandateCancellation(context, payment, operation, outcome);
    case 'refund':
      return settleRefund(context, payment, operation, outcome);
    default:
      return outcome.kind === 'approved'
        ? applyFirstApproval(context, payment, outcome)
        : applyRefusal(context, payment, outcome);
  }
}

function moveByAcquirer(
  context: TransactionContext,
  payment: Payment,
  ...moves: readonly RequestedMove[]
): Promise<Payment> {
  const at = now(context.deps, context.merchant);
  return movePayment(context, payment, { by: 'acquirer', at }, ...moves);
}

async function applyFirstApproval(
  context: TransactionContext,
  payment: Payment,
  approval: ApprovalDetails,
): Promise<Payment> {
  const { movesOnApproval, recordApproval } = methodModule(payment.method);
  const recorded = recordApproval(context, payment, approval, now(context.deps, context.merchant));
  const moves = movesOnApproval(payment, approval);
  const moved = moves.length === 0 ? payment : moveByAcquirer(context, payment, ...moves);
  return (await Promise.all([moved, recorded]))[0];
}

async function applyRefusal(
  context: TransactionContext,
  payment: Payment,
  { refusal: { code }, isUnsent }: Extract<FinalOutcome, { kind: 'refused' }>,
): Promise<Payment> {
  const move = code === 'fraud' ? 'suspect_fraud' : 'refuse';
  if (!mayMove(payment, move)) return payment;
  // The acquirer uses its own codes for what it refuses itself, such as a sealed reference.
  const details = { refusal: refusalOf(payment, code), ...(isUnsent && { isUnsent }) };
  return moveByAcquirer(context, payment, { move, details });
}

function applyCapture(
  context: TransactionContext,
  payment: Payment,
  { amount_centavos }: PaymentOperation,
): Promise<Payment> {
  return moveByAcquirer(context, payment, { move: 'capture', amount_centavos });
}

/** Makes no move if the acquirer released the payment by itself, and reported that first. */
async function applyCancel(context: TransactionContext, payment: Payment): Promise<Payment> {
  if (!mayMove(payment, 'cancel')) return payment;
  const details = await endedWithMandate(context, payment);
  return moveByAcquirer(context, payment, { move: 'cancel', details });
}

/**
 * After the acquirer refused a capture or cancellation. Makes no move if a notification has moved the payment before.
 */
async function applyFailure(
  context: TransactionContext,
  payment: Payment,
  operation: PaymentOperation,
  outcome: Extract<FinalOutcome, { kind: 'refused' }>,
): Promise<Payment> {
  const { deps, tx, merchant } = context;
  const at = now(deps, merchant);
  const failure = {
    refusal: outcome.refusal,
    nextTryAt: outcome.isUnsent ? await nextTryAt(context, operation, at) : null,
    refusedBefore: (await refusedBefore(tx, merchant, operation))
      .filter(({ refusalCode }) => refusalCode !== NOT_RECEIVED)
      .map(({ requestedAt }) => requestedAt),
  };
  const { isRepeated, dueAt } = afterFailure(payment, operation, failure, at);
  const moves = isRepeated ? REPEATS : await failuresOf(context, payment, operation, outcome);
  const move = moves.find((each) => mayMove(payment, each));
  return move === undefined ? payment : moveByAcquirer(context, payment, { move, details: { dueAt } });
}

async function failuresOf(
  { tx, merchant }: TransactionContext,
  payment: Payment,
  operation: PaymentOperation,
  { refusal: { code } }: Extract<FinalOutcome, { kind: 'refused' }>,
): Promise<readonly FailureMove[]> {
  if (operation.kind === 'capture') return CAPTURE_FAILURES;
  if (!isRepeatedCancellation(payment, operation)) return CANCEL_FAILURES;
  const isKnown = await wasRefusedBefore(tx, merchant, operation, code);
  return isKnown ? KNOWN_CANCEL_FAILURES : CANCEL_FAILURES;
}

/** Of these moves, the first that is legal is made. */
const REPEATS = ['repeat_step', 'repeat_unknown_step', 'repeat_cancel', 'repeat_unknown_cancel'] as const;
const CAPTURE_FAILURES = ['fail_capture'] as const;
const CANCEL_FAILURES = ['fail_void', 'fail_cancel'] as const;
const KNOWN_CANCEL_FAILURES = ['fail_void', 'fail_cancel_again', 'fail_unknown_cancel_again'] as const;
type FailureMove = (typeof CAPTURE_FAILURES | typeof CANCEL_FAILURES | typeof KNOWN_CANCEL_FAILURES)[number];

/** Adds details of an approval that were missing in the report that settled the operation. */
export async function addDetails(
  context: TransactionContext,
  payment: Payment,
  approval: ApprovalDetails,
): Promise<Payment> {
  const method = methodModule(payment.method).missingDetails(payment, approval);
  if (Object.keys(method).length === 0) return payment;
  return moveByAcquirer(context, payment, { move: addMove(payment, method), details: { method } });
}

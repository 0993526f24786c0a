import { findDisputesOfPayment } from '../../db/disputes/disputes.ts';
import { findOpenOperation, moveOperationRow } from '../../db/payments/payment-operations.ts';
import { findOthersOfCycle, isTransferOfOther } from '../../db/payments/payments.ts';
import { refundsOfPayments } from '../../db/payments/refunds.ts';
import {
  type AcquirerUpdate,
  discrepancy,
  moveOfUpdate,
  type OperationResult,
  type Verdict,
} from '../../domain/payments/acquirer-report.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import { judgeResult } from '../../domain/payments/judge-result.ts';
import { judgeUpdate, LONGEST_WAIT_MS } from '../../domain/payments/judge-update.ts';
import {
  capturesOnApproval,
  paidAt,
  paidBy,
  refusalOf,
  transferId,
} from '../../domain/payments/methods/index.ts';
import { type MandateNotice, recurringDetails } from '../../domain/payments/methods/mandate-updates.ts';
import { operationMachine } from '../../domain/payments/operation-moves.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { AmountMove } from '../../domain/payments/payment-amounts.ts';
import { NOT_RECEIVED, type PaymentOperation } from '../../domain/payments/payment-operation.ts';
import { isOpen } from '../../domain/payments/payment-state.ts';
import type { PaymentDetails, RequestedMove } from '../../domain/payments/plan-moves.ts';
import { cardRefusal, type PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import { now, type TransactionContext } from '../deps.ts';
import { addMove } from './add-move.ts';
import type { FinalOutcome } from './final-outcome.ts';
import { methodModule } from './methods/index.ts';
import { endedWithMandate, endsWithMandate, hasOpenMandate } from './methods/mandates/ended-with-mandate.ts';
import { moveMandate } from './methods/mandates/move-mandate.ts';
import { movePayment } from './move-payment.ts';
import { type Reported, recordDiscrepancy } from './record-discrepancy.ts';
import { addDetails, settlePayment } from './settle-operation.ts';

/**
 * The payment that a report is about, locked, and the operation whose reference the report has. The operation was read
 * under that lock, so nothing else can settle it at the same time.
 */
export interface Subject {
  readonly payment: Payment;
  readonly operation: PaymentOperation;
}

/** The payment and the operation after a report was judged, and the discrepancy if a new one was written. */
export interface JudgedReport extends Subject {
  readonly verdict: Verdict;
  readonly found?: Discrepancy | undefined;
}

/** The result of an operation, with its data. `outcome` is undefined while the operation is pending. */
export interface ReceivedResult {
  readonly report: OperationResult;
  readonly outcome: FinalOutcome | undefined;
  readonly reported: Reported;
}

/**
 * Compares the result of an operation with our records. A result that fits settles the operation and moves the payment.
 * A result that is known may still add details that were missing. A result that contradicts our records is stored as a
 * discrepancy and changes nothing. Every result passes through here.
 */
export async function applyResult(
  context: TransactionContext,
  subject: Subject,
  { report, outcome, reported }: ReceivedResult,
): Promise<JudgedReport> {
  const { payment, operation } = subject;
  const verdict = judgeReceivedResult(report, outcome, subject);
  if (verdict.verdict === 'apply') {
    // Sent together: the operation first.
    const [settled, moved] = await Promise.all([
      settleOperation(context, operation, outcome!),
      settlePayment(context, payment, operation, outcome!),
    ]);
    return { verdict, payment: moved, operation: settled };
  }
  if (verdict.verdict === 'discrepancy') {
    return {
      ...subject,
      verdict,
      found: await recordDiscrepancy(context, verdict.reason, reported, subject),
    };
  }
  if (outcome?.kind !== 'approved') return { ...subject, verdict };
  return { ...subject, verdict, payment: await addDetails(context, payment, outcome) };
}

/** An approval that fits our records is also compared with the payment by its method. */
function judgeReceivedResult(
  report: OperationResult,
  outcome: FinalOutcome | undefined,
  { payment, operation }: Subject,
): Verdict {
  const verdict = judgeResult(report, payment, operation);
  if (verdict.verdict === 'discrepancy' || outcome?.kind !== 'approved') return verdict;
  const reason = methodModule(payment.method).contradiction(payment, outcome);
  return reason === null ? verdict : discrepancy(reason);
}

async function settleOperation(
  { deps, tx, merchant }: TransactionContext,
  operation: PaymentOperation,
  outcome: FinalOutcome,
): Promise<PaymentOperation> {
  const { id } = operation;
  const move = operationMachine.rowMove(outcome.kind === 'approved' ? 'approve' : 'refuse', 'acquirer');
  const refusalCode = outcome.kind === 'refused' ? codeOnRecord(outcome) : null;
  const isWritten = await moveOperationRow(tx, merchant, { id, ...move, refusalCode, at: deps.wall() });
  if (!isWritten) throw new Error(`The operation ${id} was settled without the lock of its payment.`);
  return { ...operation, state: move.to, refusalCode };
}

/** The acquirer has given no reason for a command that it never received. */
function codeOnRecord({ refusal, isUnsent }: Extract<FinalOutcome, { kind: 'refused' }>): string {
  return isUnsent ? NOT_RECEIVED : refusal.code;
}

/** A change of a payment that we did not request, with the details of its report. */
export interface ReceivedUpdate {
  readonly report: AcquirerUpdate;
  readonly refusal: PaymentRefusal | null;
  readonly reported: Reported;
  /** How long it has waited for something that is missing. After too long it counts as a discrepancy. */
  readonly waited_ms: number;
}

/**
 * The same for a change that we did not request. With the verdict `wait`, nothing has changed, and the acquirer must
 * send the report again.
 */
export async function applyUpdate(
  context: TransactionContext,
  subject: Subject,
  received: ReceivedUpdate,
): Promise<JudgedReport> {
  const { payment } = subject;
  const { report, reported } = received;
  const verdict = await judgeReceived(context, subject, received);
  switch (verdict.verdict) {
    case 'discrepancy':
      return {
        ...subject,
        verdict,
        found: await recordDiscrepancy(context, verdict.reason, reported, subject),
      };
    case 'known':
      return { ...subject, verdict, payment: await addTransfer(context, payment, report) };
    case 'wait':
      return { ...subject, verdict };
    case 'apply':
      return { ...subject, verdict, payment: await moveByUpdate(context, payment, received) };
  }
}

async function judgeReceived(
  { tx, merchant }: TransactionContext,
  { payment, operation }: Subject,
  { report, waited_ms }: ReceivedUpdate,
): Promise<Verdict> {
  const isChargeback = report.update.startsWith('chargeback_');
  const { endToEndId } = report;
  // Sent together.
  const [open, isTransferUsed, others, refunds, disputes, isMandateOpen] = await Promise.all([
    findOpenOperation(tx, merchant, payment.id),
    endToEndId !== null && isTransferOfOther(tx, merchant, { endToEndId, paymentId: payment.id }),
    payment.cycle === null ? [] : findOthersOfCycle(tx, merchant, payment),
    isChargeback ? refundsOfPayments(tx, merchant, [payment.id]) : [],
    isChargeback ? findDisputesOfPayment(tx, merchant, payment.id) : [],
    endsWithMandate(report) && hasOpenMandate({ tx, merchant }, payment),
  ]);
  const verdict = judgeUpdate(report, payment, operation, {
    hasOpenOperation: open !== undefined,
    isTransferUsed,
    isCyclePaid: others.some(({ captured_centavos }) => captured_centavos > 0),
    isCycleBeingCharged: others.some((other) => isOpen(other) && capturesOnApproval(other)),
    // The report of the mandate may be lost.
    isMandateEndAwaited: isMandateOpen && waited_ms < LONGEST_WAIT_MS,
    refunds,
    disputes,
    isPreviousAwaited: waited_ms < LONGEST_WAIT_MS,
  });
  if (verdict.verdict !== 'wait' || verdict.limit_ms === null) return verdict;
  return waited_ms >= verdict.limit_ms ? discrepancy(verdict.reason) : verdict;
}

/** Adds what identifies the transfer that paid a charge, if the report that settled the payment did not have it. */
async function addTransfer(
  context: TransactionContext,
  payment: Payment,
  report: AcquirerUpdate,
): Promise<Payment> {
  if (report.update !== 'charge_paid' || (transferId(payment) ?? paidAt(payment)) !== null) return payment;
  const method = methodModule(payment.method).transferDetails(report);
  if (Object.values(method).every((value) => value === null)) return payment;
  const at = now(context.deps, context.merchant);
  const requested = { move: addMove(payment, method), details: { method } };
  return movePayment(context, payment, { by: 'acquirer', at }, requested);
}

async function moveByUpdate(
  context: TransactionContext,
  payment: Payment,
  received: ReceivedUpdate,
): Promise<Payment> {
  const at = now(context.deps, context.merchant);
  const { update, mandate } = received.report;
  if (update === 'mandate_canceled') {
    const cancellationCode = mandate?.cancellationCode ?? null;
    const change = { move: 'cancel', by: 'acquirer', at, cancellationCode } as const;
    await moveMandate(context, recurringDetails(payment)!.mandateId, change);
  }
  const isCanceled = moveOfUpdate(update, payment) === 'cancel';
  const ended = isCanceled ? await endedWithMandate(context, payment, mandate?.cancellationCode) : {};
  return movePayment(context, payment, { by: 'acquirer', at }, requestedByUpdate(payment, received, ended));
}

/** `ended`: the details of a payment that is canceled. */
function requestedByUpdate(payment: Payment, received: ReceivedUpdate, ended: PaymentDetails): RequestedMove {
  const { update, dispute } = received.report;
  const details = { ...detailsOfUpdate(payment, received), ...ended };
  const planned = moveOfUpdate(update, payment);
  const move = planned === 'add_data' ? addMove(payment, details.method ?? {}) : planned;
  if (update === 'charge_paid') {
    return { move: paidBy(payment), amount_centavos: payment.amount_centavos, details };
  }
  const requested = move as Exclude<typeof move, AmountMove>;
  if (update === 'chargeback_requested') return { move: requested, ...(dispute && { details: { dispute } }) };
  return Object.keys(details).length === 0 ? { move: requested } : { move: requested, details };
}

/** What the report adds to the payment. */
function detailsOfUpdate(payment: Payment, { report, refusal }: ReceivedUpdate): PaymentDetails {
  const { update, mandate } = report;
  switch (update) {
    case 'charge_paid': {
      const transfer = methodModule(payment.method).transferDetails(report);
      return { method: { ...transfer, ...newChargeCode(payment, mandate) } };
    }
    case 'charge_refused':
    case 'mandate_rejected':
      return { refusal: refusalOf(payment, refusal?.code ?? 'processing_error') };
    case 'mandate_authorized':
      return {
        method: newChargeCode(payment, mandate),
        dueAt: payment.status === 'scheduled' ? null : payment.dueAt,
      };
    case 'fraud_detected':
      return { refusal: refusal?.code === 'fraud' ? refusal : cardRefusal('fraud') };
    default:
      return {};
  }
}

/** The id of the mandate, which the first report of its authorization brings. */
function newChargeCode(payment: Payment, mandate: MandateNotice | undefined): { chargeCode?: string } {
  const chargeCode = mandate?.chargeCode ?? null;
  return chargeCode === null || recurringDetails(payment)?.chargeCode !== null ? {} : { chargeCode };
}

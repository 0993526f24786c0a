import type { Tx } from '../../db/engine/database.ts';
import { findOpenOperation, moveOperationRow } from '../../db/payments/payment-operations.ts';
import type { PaymentPatch } from '../../db/payments/payment-patch.ts';
import { refundAmounts } from '../../db/payments/refunds.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import {
  MOVE_OF_NEWS,
  type OperationResult,
  type PaymentNews,
  type Verdict,
} from '../../domain/payments/acquirer-report.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import { judgeNews } from '../../domain/payments/judge-news.ts';
import { judgeResult } from '../../domain/payments/judge-result.ts';
import { operationMachine } from '../../domain/payments/operation-moves.ts';
import { type Payment, settledStatus } from '../../domain/payments/payment.ts';
import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import { cardRefusal, type PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import { type Deps, now } from '../deps.ts';
import type { FinalOutcome } from './final-outcome.ts';
import { movePayment, patchWithoutMove } from './move-payment.ts';
import { type Reported, recordDiscrepancy } from './record-discrepancy.ts';
import { addDetails, refusalPatch, settlePayment } from './settle-operation.ts';

/** The gate was passed, or not: the payment as it is then, and the discrepancy if a new one was written. */
export interface Judged {
  readonly payment: Payment;
  readonly operation: PaymentOperation;
  readonly verdict: Verdict;
  readonly found?: Discrepancy | undefined;
}

/**
 * What a report is about: the payment, locked, and the operation whose reference it carries, read under that lock. So no
 * one else can settle the operation meanwhile.
 */
export interface Subject {
  readonly payment: Payment;
  readonly operation: PaymentOperation;
}

/** The result of an operation, with what it brings; `outcome` is undefined while it is pending. */
export interface ReceivedResult {
  readonly report: OperationResult;
  readonly outcome: FinalOutcome | undefined;
  readonly reported: Reported;
}

/**
 * The only way in which the result of an operation reaches a payment: compares it with our records, and then settles
 * the operation and moves the payment, or adds what it knows beside its outcome, or writes a discrepancy and moves
 * nothing.
 */
export async function applyResult(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  subject: Subject,
  received: ReceivedResult,
): Promise<Judged> {
  const { payment, operation } = subject;
  const { report, outcome } = received;
  const verdict = judgeResult(report, payment, operation);
  if (verdict.verdict === 'apply') {
    // Sent together: the operation first.
    const [settled, moved] = await Promise.all([
      settleOperation(deps, tx, merchant, operation, outcome!),
      settlePayment(deps, tx, merchant, payment, operation, outcome!),
    ]);
    return { verdict, payment: moved, operation: settled };
  }
  if (verdict.verdict === 'discrepancy') {
    const found = await recordDiscrepancy(deps, tx, merchant, verdict.reason, received.reported, subject);
    return { ...subject, verdict, found };
  }
  return { verdict, operation, payment: await addDetails(deps, tx, merchant, payment, outcome) };
}

async function settleOperation(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  operation: PaymentOperation,
  outcome: FinalOutcome,
): Promise<PaymentOperation> {
  const { id } = operation;
  const move = operationMachine.rowMove(outcome.kind === 'approved' ? 'approve' : 'refuse', 'acquirer');
  const refusalCode = outcome.kind === 'refused' ? outcome.refusal.code : null;
  const isWritten = await moveOperationRow(tx, merchant, { id, ...move, refusalCode, at: deps.wall() });
  if (!isWritten) throw new Error(`The operation ${id} was settled without the lock of its payment.`);
  return { ...operation, state: move.to, refusalCode };
}

/** Something that happened to a payment by itself. */
export interface ReceivedNews {
  readonly report: PaymentNews;
  readonly refusal: PaymentRefusal | null;
  readonly reported: Reported;
  /** Whether it waits for what it builds on for so long that it counts as a discrepancy. */
  readonly isOverdue: boolean;
}

/**
 * The same for what happens to a payment without an operation of ours. A verdict of `wait` has changed nothing, and the
 * report must come again.
 */
export async function applyNews(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  subject: Subject,
  received: ReceivedNews,
): Promise<Judged> {
  const { payment, operation } = subject;
  const { report } = received;
  const context = {
    hasOpenOperation: (await findOpenOperation(tx, merchant, payment.id)) !== undefined,
    refunds_centavos: report.news.startsWith('chargeback_')
      ? await refundAmounts(tx, merchant, payment.id)
      : [],
  };
  let verdict = judgeNews(report, payment, operation, context);
  if (verdict.verdict === 'wait' && verdict.isBounded && received.isOverdue) {
    verdict = { verdict: 'discrepancy', reason: 'illegal_move' };
  }
  if (verdict.verdict === 'discrepancy') {
    const found = await recordDiscrepancy(deps, tx, merchant, verdict.reason, received.reported, subject);
    return { ...subject, verdict, found };
  }
  if (verdict.verdict === 'known') {
    return { ...subject, verdict, payment: await addTransfer(deps, tx, merchant, payment, report) };
  }
  if (verdict.verdict !== 'apply') return { ...subject, verdict };
  const change = { ...changeOf(payment, received), at: now(deps, merchant) };
  return {
    verdict,
    operation,
    payment: await movePayment(deps, tx, merchant, payment, MOVE_OF_NEWS[report.news], change),
  };
}

/** Adds the name of the transfer that paid a Pix, where the report that settled the payment lacked it. */
async function addTransfer(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  payment: Payment,
  { news, endToEndId }: PaymentNews,
): Promise<Payment> {
  const isMissing = payment.pix !== null && payment.pix.endToEndId === null;
  if (news !== 'pix_paid' || !isMissing || endToEndId === null) return payment;
  return patchWithoutMove(deps, tx, merchant, payment, { pix_end_to_end_id: endToEndId });
}

/** What news changes beside the status. */
function changeOf(payment: Payment, { report, refusal }: ReceivedNews) {
  const patchOf = (patch: PaymentPatch) => ({ patch });
  switch (report.news) {
    case 'pix_paid':
      return patchOf({
        captured_centavos: payment.amount_centavos,
        pix_end_to_end_id: report.endToEndId,
        due_at: null,
      });
    case 'pix_refused':
      return patchOf(refusalPatch(cardRefusal(refusal?.code ?? 'processing_error')));
    case 'fraud_detected':
      return patchOf(refusalPatch(refusal?.code === 'fraud' ? refusal : cardRefusal('fraud')));
    case 'pix_expired':
    case 'voided':
      return patchOf({ due_at: null });
    case 'chargeback_won':
      return { to: settledStatus(payment) };
    default:
      return {};
  }
}

import { findDisputesOfPayment } from '../../db/disputes/disputes.ts';
import { assignedChanges } from '../../domain/payments/inquired-disputes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { InquiryOutcome } from '../../gateway/acquirer.ts';
import { now, type TransactionContext } from '../deps.ts';
import { applyResult, applyUpdate, type JudgedReport, type Subject } from './apply-report.ts';
import { receivedCharge, receivedDisputes, receivedOutcome } from './received-report.ts';

/**
 * Applies the answer to an inquiry about a charge that was accepted: the result of its operation, and what has become
 * of it since. Undefined if there is no answer. `waited_ms`: since the first inquiry about it.
 */
export async function applyInquiry(
  context: TransactionContext,
  subject: Subject,
  outcome: InquiryOutcome,
  waited_ms = 0,
): Promise<JudgedReport | undefined> {
  const received = receivedOutcome(subject.operation, 'inquiry', outcome);
  if (received === undefined) return undefined;
  const judged = await applyResult(context, subject, received);
  const update = receivedCharge(judged.operation, outcome, {
    at: now(context.deps, context.merchant),
    waited_ms,
  });
  if (judged.verdict.verdict === 'discrepancy' || update === undefined) return judged;
  return applyUpdate(context, judged, update);
}

/**
 * Applies what an answer to an inquiry says about the disputes of a payment. It ends with a change that is not
 * accepted, because later ones follow from it. Changes that may belong to another dispute are left out.
 */
export async function applyInquiredDisputes(
  context: TransactionContext,
  subject: Subject,
  outcome: InquiryOutcome,
  waited_ms: number,
): Promise<readonly JudgedReport[]> {
  const changes = receivedDisputes(subject.operation, outcome, waited_ms);
  if (changes.length === 0) return [];
  const { tx, merchant } = context;
  const disputes = await findDisputesOfPayment(tx, merchant, subject.payment.id);
  const judged: JudgedReport[] = [];
  for (const received of assignedChanges(changes, subject.payment, disputes)) {
    const current = judged.at(-1) ?? subject;
    // The acquirer may report it several times, each with an event.
    const isRepeated = received.report.update === 'chargeback_dispute' && isExamined(current.payment);
    if (isRepeated) continue;
    const one = await applyUpdate(context, current, received);
    judged.push(one);
    if (one.verdict.verdict !== 'apply' && one.verdict.verdict !== 'known') break;
  }
  return judged;
}

function isExamined({ status }: Payment): boolean {
  return status === 'chargeback_dispute';
}

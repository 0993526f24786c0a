import type { InquiryOutcome } from '../../gateway/acquirer.ts';
import { now, type TransactionContext } from '../deps.ts';
import { applyResult, applyUpdate, type Judged, type Subject } from './apply-report.ts';
import { receivedCharge, receivedOutcome } from './received-report.ts';

/**
 * Applies the answer to an inquiry about a charge that was accepted: the result of its operation, and what has become
 * of it since. Undefined if there is no answer.
 */
export async function applyInquiry(
  context: TransactionContext,
  subject: Subject,
  outcome: InquiryOutcome,
): Promise<Judged | undefined> {
  const received = receivedOutcome(subject.operation, 'inquiry', outcome);
  if (received === undefined) return undefined;
  const judged = await applyResult(context, subject, received);
  const update = receivedCharge(judged.operation, outcome, now(context.deps, context.merchant));
  if (judged.verdict.verdict === 'discrepancy' || update === undefined) return judged;
  return applyUpdate(context, judged, update);
}

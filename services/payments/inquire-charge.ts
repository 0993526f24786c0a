import { findFirstOperation, findOpenOperation } from '../../db/payments/payment-operations.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import { isResultDue, nextInquiryAt, resultDueAt } from '../../domain/payments/methods/mandate-inquiries.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { InquiryOutcome } from '../../gateway/acquirer.ts';
import { recordClockStep } from '../clock-steps.ts';
import { type Deps, now, returnResult, type TransactionContext } from '../deps.ts';
import { RECOVERY_POINTS } from '../recovery-points.ts';
import { requireRow } from '../refusal.ts';
import { applyInquiry } from './apply-inquiry.ts';
import { beginWholeOperation } from './begin-operation.ts';
import { movePayment } from './move-payment.ts';
import { afterOutcomeAt } from './next-try.ts';
import { logDiscrepancy } from './record-discrepancy.ts';
import { type BegunOperation, runOperation } from './run-operation.ts';

/**
 * Writes when the acquirer is asked about a locked charge again, unless the answer ends it: before the call, so that a
 * crash cannot lose it. False if another operation of the charge has no outcome, which comes first.
 */
export async function beginInquiry(
  context: TransactionContext,
  payment: Payment,
  at: Date,
): Promise<boolean> {
  const { deps, tx, merchant } = context;
  const open = await findOpenOperation(tx, merchant, payment.id);
  const dueAt =
    open === undefined ? nextInquiryAt(payment.billingDate!, at) : afterOutcomeAt(merchant, open, at);
  await movePayment(context, payment, { by: 'clock', at }, { move: 'postpone', details: { dueAt } });
  if (open !== undefined) return false;
  await recordClockStep(deps, tx, merchant, { step: `inquire_${payment.method}`, objectId: payment.id });
  return true;
}

/**
 * Asks the acquirer what has become of a charge by a mandate that was withdrawn, or whose result was not notified in
 * time. Its answer passes the same checks as a notification. A charge that is still open is canceled at the acquirer,
 * and ends only by the outcome of that. Until then no other charge follows.
 */
export async function inquireCharge(
  deps: Deps,
  merchant: Merchant,
  { id, reference }: Payment,
): Promise<void> {
  const outcome = await deps.acquirer.inquire({ reference, account: merchant.merchantId, seal: false });
  deps.reached(RECOVERY_POINTS.chargeReported);
  let found: Discrepancy | undefined;
  const canceled = await deps.db.transaction(merchant, async (tx) => {
    found = undefined;
    const payment = await lockPayment(tx, merchant, id);
    // The sandbox was reset.
    if (payment === undefined) return undefined;
    const context = { deps, tx, merchant };
    const operation = requireRow(await findFirstOperation(tx, merchant, id));
    const judged = await applyInquiry(context, { payment, operation }, outcome);
    found = judged?.found;
    if (judged?.verdict.verdict === 'discrepancy') return leaveToOperator(context, judged.payment);
    return mayBeOpen(outcome) ? beginCancellation(context, judged?.payment ?? payment, outcome) : undefined;
  });
  logDiscrepancy(deps, found);
  if (canceled !== undefined) await runOperation(deps, merchant, canceled, returnResult);
}

/** The answer contradicts our records. A person looks into it, and the charge is not canceled. */
async function leaveToOperator(context: TransactionContext, payment: Payment): Promise<undefined> {
  const at = now(context.deps, context.merchant);
  const dueAt = resultDueAt(payment.billingDate!);
  if (at >= dueAt || !mayMove(payment, 'postpone')) return;
  await movePayment(context, payment, { by: 'clock', at }, { move: 'postpone', details: { dueAt } });
}

function mayBeOpen(outcome: InquiryOutcome): boolean {
  if (outcome.kind !== 'approved' || outcome.charge === undefined) return true;
  return outcome.charge.state === 'open' || outcome.charge.state === 'unreadable';
}

/**
 * Begins the cancellation of a locked charge. Before its result is due, a withdrawn charge is canceled even without an
 * answer. After that, a charge is canceled only if the acquirer reports it as open.
 */
async function beginCancellation(
  context: TransactionContext,
  payment: Payment,
  outcome: InquiryOutcome,
): Promise<BegunOperation | undefined> {
  const { deps, tx, merchant } = context;
  const at = now(deps, merchant);
  if (!mayMove(payment, 'request_cancel')) return undefined;
  const isKnownOpen = outcome.kind === 'approved' && outcome.charge?.state === 'open';
  if (isResultDue(payment.billingDate!, at)) {
    const fields = { payment_id: payment.id, merchant_id: merchant.merchantId, answer: outcome.kind };
    deps.log.error(fields, 'a charge by a mandate has no result');
    if (!isKnownOpen) return undefined;
  }
  if ((await findOpenOperation(tx, merchant, payment.id)) !== undefined) return undefined;
  const step = `cancel_${payment.method}`;
  await recordClockStep(deps, tx, merchant, { step, objectId: payment.id });
  const withdraw = { move: 'withdraw', details: { dueAt: at } } as const;
  const withdrawn = await movePayment(context, payment, { by: 'clock', at }, withdraw);
  return beginWholeOperation(context, withdrawn, { kind: 'cancel', move: 'request_cancel', by: 'clock' });
}

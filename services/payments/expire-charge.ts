import { findFirstOperation } from '../../db/payments/payment-operations.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import { expiresAt } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { InquiryOutcome } from '../../gateway/acquirer.ts';
import { recordClockStep, stepRetryAt } from '../clock-steps.ts';
import { type Deps, now, type TransactionContext } from '../deps.ts';
import { RECOVERY_POINTS } from '../recovery-points.ts';
import { requireRow } from '../refusal.ts';
import { applyInquiry } from './apply-inquiry.ts';
import { movePayment } from './move-payment.ts';
import { logDiscrepancy } from './record-discrepancy.ts';

/**
 * Writes when the expiry of a locked charge is tried again: before the call, so that a crash cannot lose it. The pause
 * grows to an hour.
 */
export async function beginExpiry(context: TransactionContext, payment: Payment, at: Date): Promise<void> {
  const pause_ms = Math.min(overFor_ms(payment, at), HOUR_MS);
  const next = Math.max(stepRetryAt(context.merchant, at).getTime(), at.getTime() + pause_ms);
  const details = { dueAt: new Date(next) };
  await movePayment(context, payment, { by: 'clock', at }, { move: 'postpone', details });
}

/**
 * Asks the acquirer what has become of a charge whose time is over, because the notification that it was paid can be
 * lost for ever, and expires it unless it has ended. The answer passes the same checks as a notification. Without an
 * answer the charge keeps its status, and its expiry is tried again: the acquirer may have the money.
 */
export async function expireCharge(deps: Deps, merchant: Merchant, charge: Payment): Promise<void> {
  const { id, reference } = charge;
  const outcome = await deps.acquirer.inquire({ reference, account: merchant.merchantId, seal: false });
  deps.reached(RECOVERY_POINTS.chargeReported);
  if (outcome.kind === 'unknown') return logWithoutResult(deps, merchant, charge, outcome.cause);
  if (isUnreadable(outcome)) return logWithoutResult(deps, merchant, charge, 'unreadable');
  let found: Discrepancy | undefined;
  let waits = false;
  await deps.db.transaction(merchant, async (tx) => {
    [found, waits] = [undefined, false];
    const payment = await lockPayment(tx, merchant, id);
    // Undefined: the sandbox was reset. Otherwise a notification may have come first.
    if (payment === undefined || !isAwaited(payment)) return;
    const context = { deps, tx, merchant };
    const operation = requireRow(await findFirstOperation(tx, merchant, id));
    const judged = await applyInquiry(context, { payment, operation }, outcome);
    found = judged?.found;
    waits = judged?.verdict.verdict === 'wait';
    if (!waits) await expireUnlessEnded(context, judged?.payment ?? payment);
  });
  logDiscrepancy(deps, found);
  if (waits) logWithoutResult(deps, merchant, charge, 'wait');
}

function isUnreadable(outcome: InquiryOutcome): boolean {
  return outcome.kind === 'approved' && outcome.charge?.state === 'unreadable';
}

/** A charge that stays open for long needs a person, unless its hours are those of a clock that is advanced. */
function logWithoutResult(deps: Deps, merchant: Merchant, charge: Payment, answer: string): void {
  if (merchant.clock.pinnedAt !== null || overFor_ms(charge, now(deps, merchant)) < HOUR_MS) return;
  const fields = { payment_id: charge.id, merchant_id: merchant.merchantId, answer };
  deps.log.error(fields, 'no result for an expired charge');
}

/** How long the time to pay a charge, or to authorize a mandate, has been over at `at`. */
function overFor_ms(charge: Payment, at: Date): number {
  return at.getTime() - (expiresAt(charge) ?? at).getTime();
}

/** An answer that contradicts our records is a discrepancy, and does not keep the charge open. */
async function expireUnlessEnded(context: TransactionContext, payment: Payment): Promise<void> {
  const { deps, tx, merchant } = context;
  const isOver = isAwaited(payment);
  const step = `${isOver ? 'expire' : 'inquire'}_${payment.method}`;
  await recordClockStep(deps, tx, merchant, { step, objectId: payment.id });
  if (!isOver) return;
  await movePayment(context, payment, { by: 'clock', at: now(deps, merchant) }, { move: 'expire' });
}

/** Whether the charge is still open in our records, and nothing else is asked about it. */
function isAwaited(payment: Payment): boolean {
  return payment.pendingOperation === null && mayMove(payment, 'expire');
}

import { findFirstOperation } from '../../db/payments/payment-operations.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import { recordClockStep, stepRetryAt } from '../clock-steps.ts';
import { type Deps, now, type TransactionContext } from '../deps.ts';
import { RECOVERY_POINTS } from '../recovery-points.ts';
import { requireRow } from '../refusal.ts';
import { applyInquiry } from './apply-inquiry.ts';
import { movePayment } from './move-payment.ts';
import { logDiscrepancy } from './record-discrepancy.ts';

/** Writes when the expiry of a locked charge is tried again: before the call, so that a crash cannot lose it. */
export async function beginExpiry(context: TransactionContext, payment: Payment, at: Date): Promise<void> {
  const details = { dueAt: stepRetryAt(context.merchant, at) };
  await movePayment(context, payment, { by: 'clock', at }, { move: 'postpone', details });
}

/**
 * Asks the acquirer what has become of a charge whose time is over, because the notification that it was paid can be lost
 * for ever, and expires it unless it has ended. The answer passes the same checks as a notification. Without an answer the
 * charge keeps its status, and its expiry is tried again: the acquirer may have the money.
 */
export async function expireCharge(
  deps: Deps,
  merchant: Merchant,
  { id, reference }: Payment,
): Promise<void> {
  const outcome = await deps.acquirer.inquire({ reference, account: merchant.merchantId, seal: false });
  deps.reached(RECOVERY_POINTS.chargeReported);
  if (outcome.kind === 'unknown') return;
  let found: Discrepancy | undefined;
  await deps.db.transaction(merchant, async (tx) => {
    const payment = await lockPayment(tx, merchant, id);
    // Undefined: the sandbox was reset. Otherwise a notification may have come first.
    if (payment === undefined || !isAwaited(payment)) return;
    const context = { deps, tx, merchant };
    const operation = requireRow(await findFirstOperation(tx, merchant, id));
    const judged = await applyInquiry(context, { payment, operation }, outcome);
    found = judged?.found;
    if (judged?.verdict.verdict === 'wait') return;
    await expireUnlessEnded(context, judged?.payment ?? payment);
  });
  logDiscrepancy(deps, found);
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

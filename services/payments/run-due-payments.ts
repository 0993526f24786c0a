import { postponeDueRows } from '../../db/due-rows.ts';
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import { DUE_PAYMENTS, lockDuePayments } from '../../db/payments/due-payments.ts';
import { findOpenOperation } from '../../db/payments/payment-operations.ts';
import { type Merchant, mayCharge } from '../../domain/merchants/merchant.ts';
import { stepAfterWait } from '../../domain/payments/authorization.ts';
import { OPERATION_OF_STEP } from '../../domain/payments/clock-step.ts';
import { dueStep } from '../../domain/payments/methods/index.ts';
import type { DueStep } from '../../domain/payments/methods/method.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { recordClockStep, stepRetryAt } from '../clock-steps.ts';
import { type Deps, now, type TransactionContext } from '../deps.ts';
import { beginWholeOperation } from './begin-operation.ts';
import { beginExpiry } from './expire-charge.ts';
import { beginInquiry } from './inquire-charge.ts';
import { movePayment } from './move-payment.ts';
import { afterOutcomeAt } from './next-try.ts';
import { runDueStepsOfClock, runDueStepsUnlessAdvancing, type TakenBatch } from './run-due-steps.ts';
import type { BegunOperation } from './run-operation.ts';

/** Payments of one transaction. */
const BATCH = 20;

/** The same as `runDuePaymentsUnlessAdvancing`, while the merchant's clock is advanced. */
export function runDuePaymentsOfClock(deps: Deps, merchant: Merchant): Promise<number> {
  return runDueStepsOfClock(deps, merchant, takeBatch);
}

/**
 * Runs the steps of one merchant's payments that are due:
 * - Charges that were not paid in time expire, unless the acquirer reports another result.
 * - Charges that were withdrawn are canceled at the acquirer.
 * - The acquirer is asked for results that were not notified.
 * - Authorizations are captured at the time that the merchant chose, or voided if they were not captured in time.
 *
 * Captures wait while the merchant is not approved. Returns how many steps. A payment that arrives after the expiry
 * still settles. Does nothing while the merchant's clock is advanced.
 */
export function runDuePaymentsUnlessAdvancing(deps: Deps, scope: MerchantScope): Promise<number> {
  return runDueStepsUnlessAdvancing(deps, scope, takeBatch);
}

/**
 * A step that fails undoes its batch. It is logged and waits, so that it delays neither other steps nor an advance of
 * the clock.
 */
async function takeBatch(deps: Deps, merchant: Merchant): Promise<TakenBatch> {
  const current: { payment?: Payment } = {};
  try {
    return await takeSteps(deps, merchant, current);
  } catch (error) {
    if (current.payment === undefined || error instanceof DatabaseUnavailable) throw error;
    const { id } = current.payment;
    const until = now(deps, merchant);
    const postponed = { id, mayCharge: mayCharge(merchant), until, dueAt: stepRetryAt(merchant, until) };
    await postponeDueRows(deps.db, merchant, DUE_PAYMENTS, postponed);
    const fields = { payment_id: id, merchant_id: merchant.merchantId, err: error };
    deps.log.error(fields, 'a step of a payment failed');
    return { steps: 0, begun: [], mayHaveMore: true };
  }
}

/** `current` is set to the payment whose step is taken, also if that fails. */
function takeSteps(deps: Deps, merchant: Merchant, current: { payment?: Payment }): Promise<TakenBatch> {
  return deps.db.transaction(merchant, async (tx) => {
    const at = now(deps, merchant);
    const due = await lockDuePayments(tx, merchant, { until: at, limit: BATCH });
    const context = { deps, tx, merchant };
    const begun: BegunOperation[] = [];
    const inquired: Payment[] = [];
    const expiring: Payment[] = [];
    let awaitsOutcome = false;
    for (const payment of due) {
      current.payment = payment;
      const step = dueStep(payment, at);
      if (step === 'expire') {
        await beginExpiry(context, payment, at);
        expiring.push(payment);
        continue;
      }
      if (step === 'inquire') {
        if (await beginInquiry(context, payment, at)) inquired.push(payment);
        else awaitsOutcome = true;
        continue;
      }
      const operation = await runStep(context, payment, step, at);
      if (operation === 'waits') awaitsOutcome = true;
      else if (operation !== null) begun.push(operation);
    }
    delete current.payment;
    return { steps: due.length, begun, inquired, expiring, awaitsOutcome, mayHaveMore: due.length === BATCH };
  });
}

/** Returns null if the step is put off, and `waits` if another operation has no outcome yet. */
async function runStep(
  context: TransactionContext,
  payment: Payment,
  step: Exclude<DueStep, 'expire' | 'inquire'>,
  at: Date,
): Promise<BegunOperation | 'waits' | null> {
  const { deps, tx, merchant } = context;
  if (step === 'capture' && !mayCharge(merchant)) {
    const dueAt = stepAfterWait(payment, at);
    await movePayment(context, payment, { by: 'clock', at }, { move: 'postpone', details: { dueAt } });
    return null;
  }
  await recordClockStep(deps, tx, merchant, { step: `${step}_${payment.method}`, objectId: payment.id });
  const open = await findOpenOperation(tx, merchant, payment.id);
  if (open !== undefined && mayMove(payment, 'withdraw')) {
    const dueAt = afterOutcomeAt(merchant, open, at);
    await movePayment(context, payment, { by: 'clock', at }, { move: 'withdraw', details: { dueAt } });
    return 'waits';
  }
  return beginWholeOperation(context, payment, { ...OPERATION_OF_STEP[step], by: 'clock' });
}

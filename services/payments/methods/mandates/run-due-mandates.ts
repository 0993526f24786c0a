import { postponeDueRows } from '../../../../db/due-rows.ts';
import { DatabaseUnavailable } from '../../../../db/engine/unavailable.ts';
import {
  clearMandateDue,
  DUE_MANDATES,
  type DueMandate,
  findDueMandates,
  setMandateDue,
} from '../../../../db/payments/due-mandates.ts';
import { findOpenOperation } from '../../../../db/payments/payment-operations.ts';
import { lockPayment } from '../../../../db/payments/payments.ts';
import { type Merchant, mayCharge } from '../../../../domain/merchants/merchant.ts';
import { hasMandate } from '../../../../domain/payments/methods/index.ts';
import type { MerchantScope } from '../../../../domain/scope.ts';
import { recordClockStep, stepRetryAt } from '../../../clock-steps.ts';
import { type Deps, now, type TransactionContext } from '../../../deps.ts';
import { afterOutcomeAt } from '../../next-try.ts';
import { runDueStepsOfClock, runDueStepsUnlessAdvancing, type TakenBatch } from '../../run-due-steps.ts';
import type { BegunOperation } from '../../run-operation.ts';
import { beginMandateCancellation } from './cancel-mandate.ts';

/** Mandates of one transaction. */
const BATCH = 20;

/** The same as `cancelDueMandatesUnlessAdvancing`, while the merchant's clock is advanced. */
export function cancelDueMandatesOfClock(deps: Deps, merchant: Merchant): Promise<number> {
  return runDueStepsOfClock(deps, merchant, takeBatch);
}

/**
 * Cancels, at the acquirer, the mandates of one merchant that no subscription uses any more. A cancellation that was
 * never sent is due again. Returns how many were due. Does nothing while the merchant's clock is advanced.
 */
export function cancelDueMandatesUnlessAdvancing(deps: Deps, scope: MerchantScope): Promise<number> {
  return runDueStepsUnlessAdvancing(deps, scope, takeBatch);
}

/**
 * A step that fails undoes its batch. It is logged and waits, so that it delays neither other steps nor an advance of
 * the clock.
 */
async function takeBatch(deps: Deps, merchant: Merchant): Promise<TakenBatch> {
  const until = now(deps, merchant);
  const due = await findDueMandates(deps.db, merchant, { until, limit: BATCH });
  const current: { mandate?: DueMandate } = {};
  try {
    const taken = await takeSteps(deps, merchant, due, current);
    return { ...taken, mayHaveMore: due.length === BATCH };
  } catch (error) {
    if (current.mandate === undefined || error instanceof DatabaseUnavailable) throw error;
    const { id, paymentId } = current.mandate;
    const dueAt = stepRetryAt(merchant, until);
    await postponeDueRows(deps.db, merchant, DUE_MANDATES, {
      id,
      mayCharge: mayCharge(merchant),
      until,
      dueAt,
    });
    const fields = { payment_id: paymentId, merchant_id: merchant.merchantId, err: error };
    deps.log.error(fields, 'the cancellation of a mandate failed');
    return { steps: 0, begun: [], mayHaveMore: true };
  }
}

/** `current` is set to the mandate whose step is taken, also if that fails. */
function takeSteps(
  deps: Deps,
  merchant: Merchant,
  due: readonly DueMandate[],
  current: { mandate?: DueMandate },
): Promise<Omit<TakenBatch, 'mayHaveMore'>> {
  return deps.db.transaction(merchant, async (tx) => {
    const begun: BegunOperation[] = [];
    let steps = 0;
    let awaitsOutcome = false;
    for (const mandate of due.toSorted((a, b) => (a.paymentId < b.paymentId ? -1 : 1))) {
      current.mandate = mandate;
      const step = await beginDueCancellation({ deps, tx, merchant }, mandate.paymentId);
      if (step !== undefined) steps += 1;
      if (step === 'waits') awaitsOutcome = true;
      else if (step !== undefined && step !== null) begun.push(step);
    }
    delete current.mandate;
    return { steps, begun, awaitsOutcome };
  });
}

/**
 * Undefined if another worker was first, or if the sandbox was reset. Null if a cancellation of the mandate is under
 * way. `waits` if the request for the mandate has no outcome yet.
 */
async function beginDueCancellation(
  context: TransactionContext,
  paymentId: string,
): Promise<BegunOperation | 'waits' | null | undefined> {
  const { deps, tx, merchant } = context;
  const payment = await lockPayment(tx, merchant, paymentId);
  if (payment === undefined || !hasMandate(payment)) return undefined;
  const { mandateId } = payment.details;
  if (!(await clearMandateDue(tx, merchant, mandateId))) return undefined;
  const open = await findOpenOperation(tx, merchant, paymentId);
  if (open !== undefined) {
    const dueAt = afterOutcomeAt(merchant, open, now(deps, merchant));
    await setMandateDue(tx, merchant, { id: mandateId, dueAt });
    return 'waits';
  }
  await recordClockStep(deps, tx, merchant, { step: 'cancel_mandate', objectId: paymentId });
  return (await beginMandateCancellation(context, payment)) ?? null;
}

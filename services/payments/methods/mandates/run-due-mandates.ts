import { clearMandateDue, findPaymentsOfDueMandates } from '../../../../db/payments/due-mandates.ts';
import { lockPayment } from '../../../../db/payments/payments.ts';
import type { Merchant } from '../../../../domain/merchants/merchant.ts';
import { hasMandate } from '../../../../domain/payments/methods/index.ts';
import type { MerchantScope } from '../../../../domain/scope.ts';
import { recordClockStep } from '../../../clock-steps.ts';
import { type Deps, now, type TransactionContext } from '../../../deps.ts';
import { modifyCommand } from '../../modify-command.ts';
import { runDueStepsOfClock, runDueStepsUnlessAdvancing, type TakenBatch } from '../../run-due-steps.ts';
import type { BegunOperation } from '../../run-operations.ts';
import { beginMandateCancellation } from './cancel-mandate.ts';

/** Mandates of one transaction. */
const BATCH = 20;

/** The same as `cancelDueMandatesUnlessAdvancing`, while the merchant's clock is advanced. */
export function cancelDueMandatesOfClock(deps: Deps, merchant: Merchant): Promise<number> {
  return runDueStepsOfClock(deps, merchant, takeBatch);
}

/**
 * Cancels the mandates of one merchant that no subscription uses any more at the acquirer. An operation that was never sent
 * is due again. Returns how many. Does nothing while the merchant's clock is advanced.
 */
export function cancelDueMandatesUnlessAdvancing(deps: Deps, scope: MerchantScope): Promise<number> {
  return runDueStepsUnlessAdvancing(deps, scope, takeBatch);
}

async function takeBatch(deps: Deps, merchant: Merchant): Promise<TakenBatch> {
  const due = { until: now(deps, merchant), limit: BATCH };
  const paymentIds = await findPaymentsOfDueMandates(deps.db, merchant, due);
  return deps.db.transaction(merchant, async (tx) => {
    const begun: BegunOperation[] = [];
    let steps = 0;
    for (const paymentId of paymentIds.toSorted()) {
      const step = await beginDueCancellation({ deps, tx, merchant }, paymentId);
      if (step !== undefined) steps += 1;
      if (step !== undefined && step !== null) begun.push(step);
    }
    return { steps, begun, mayHaveMore: paymentIds.length === BATCH };
  });
}

/** Undefined if another worker was first, or if the sandbox was reset. Null if a cancellation of the mandate is under way. */
async function beginDueCancellation(
  context: TransactionContext,
  paymentId: string,
): Promise<BegunOperation | null | undefined> {
  const { deps, tx, merchant } = context;
  const payment = await lockPayment(tx, merchant, paymentId);
  if (payment === undefined || !hasMandate(payment)) return undefined;
  if (!(await clearMandateDue(tx, merchant, payment.details.mandateId))) return undefined;
  await recordClockStep(deps, tx, merchant, { step: 'cancel_mandate', objectId: paymentId });
  const operation = await beginMandateCancellation(context, payment);
  return operation === undefined ? null : { operation, command: modifyCommand(merchant, payment, operation) };
}

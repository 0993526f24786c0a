import { findMerchant } from '../../../../db/merchants/merchants.ts';
import {
  clearMandateDue,
  findPaymentsOfDueMandates,
  nextMandateDue,
} from '../../../../db/payments/due-mandates.ts';
import { lockPayment } from '../../../../db/payments/payments.ts';
import type { Merchant } from '../../../../domain/merchants/merchant.ts';
import { isPixRecurring } from '../../../../domain/payments/methods/mandate-updates.ts';
import type { MerchantScope } from '../../../../domain/scope.ts';
import { recordClockStep } from '../../../clock-steps.ts';
import { type Deps, now, type TransactionContext } from '../../../deps.ts';
import { modifyCommand } from '../../modify-command.ts';
import { reconcileOperationsOf } from '../../reconcile-operations.ts';
import { type BegunOperation, runOperations } from '../../run-operations.ts';
import { beginMandateCancellation } from './cancel-mandate.ts';

/** So many calls to the acquirer run at the same time. */
const BATCH = 20;

/** When the cancellation of a mandate of the merchant is due next, or null. */
export function nextMandateCancellation(deps: Deps, merchant: MerchantScope): Promise<Date | null> {
  return nextMandateDue(deps.db, merchant);
}

/**
 * Cancels the mandates of one merchant that no subscription uses any more at the acquirer. One transaction writes the
 * operations, then they are sent. If the process dies before the acquirer has answered, the reconciler settles them; one
 * that was never sent is due again. Returns how many.
 */
export async function cancelDueMandates(deps: Deps, merchant: Merchant): Promise<number> {
  let done = 0;
  for (;;) {
    const due = { until: now(deps, merchant), limit: BATCH };
    const paymentIds = await findPaymentsOfDueMandates(deps.db, merchant, due);
    const batch = await deps.db.transaction(merchant, async (tx) => {
      const begun: (BegunOperation | null)[] = [];
      for (const paymentId of paymentIds.toSorted()) {
        const step = await beginDueCancellation({ deps, tx, merchant }, paymentId);
        if (step !== undefined) begun.push(step);
      }
      return begun;
    });
    await runOperations(
      deps,
      merchant,
      batch.filter((step) => step !== null),
    );
    done += batch.length;
    if (paymentIds.length < BATCH) return done;
  }
}

/**
 * The same while the merchant's clock is advanced: operations whose answer was lost are reconciled too, so that they end
 * at the time at which they were due.
 */
export async function cancelDueMandatesOfClock(deps: Deps, merchant: Merchant): Promise<number> {
  const done = await cancelDueMandates(deps, merchant);
  return done === 0 ? 0 : done + (await reconcileOperationsOf(deps, merchant));
}

/**
 * The same, unless the merchant's clock is being advanced: the advance then runs these steps itself, in order. Returns
 * how many steps.
 */
export async function cancelDueMandatesUnlessAdvancing(deps: Deps, scope: MerchantScope): Promise<number> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined || merchant.clock.pinnedAt !== null) return 0;
  return cancelDueMandates(deps, merchant);
}

/** Undefined if another worker was first, or if the sandbox was reset. Null if a cancellation of the mandate is under way. */
async function beginDueCancellation(
  context: TransactionContext,
  paymentId: string,
): Promise<BegunOperation | null | undefined> {
  const { deps, tx, merchant } = context;
  const payment = await lockPayment(tx, merchant, paymentId);
  if (payment === undefined || !isPixRecurring(payment)) return undefined;
  if (!(await clearMandateDue(tx, merchant, payment.details.mandateId))) return undefined;
  await recordClockStep(deps, tx, merchant, { step: 'cancel_mandate', objectId: paymentId });
  const operation = await beginMandateCancellation(context, payment);
  return operation === undefined ? null : { operation, command: modifyCommand(merchant, payment, operation) };
}

import { findMerchant } from '../../db/merchants/merchants.ts';
import { lockDuePayments, nextPaymentDue } from '../../db/payments/due-payments.ts';
import { findOpenOperation } from '../../db/payments/payment-operations.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { dueStep } from '../../domain/payments/methods/index.ts';
import type { Payment, PaymentStatus } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { recordClockStep } from '../clock-steps.ts';
import { type Deps, now, type TransactionContext } from '../deps.ts';
import { beginOperation } from './begin-operation.ts';
import { modifyCommand } from './modify-command.ts';
import { movePayment } from './move-payment.ts';
import { reconcileOperationsOf } from './reconcile-operations.ts';
import { type BegunOperation, runOperations } from './run-operations.ts';

/** So many calls to the acquirer run at the same time. */
const BATCH = 20;

/** How long a cancellation waits for the outcome of another operation of its payment (merchant's time). */
const PAUSE_MS = 60_000;

/**
 * A payment with one of these statuses has a step at its time. While a capture or a cancellation is pending, the step
 * waits for its outcome.
 */
const statuses: readonly PaymentStatus[] = ['scheduled', 'waiting_payment', 'pre_authorized'];

/** When the next step of a payment of the merchant is due, or null. */
export function nextPaymentStep(deps: Deps, merchant: MerchantScope): Promise<Date | null> {
  return nextPaymentDue(deps.db, merchant, statuses);
}

/**
 * Runs the steps of one merchant's payments that are due: charges that were not paid in time expire, charges that were
 * withdrawn are canceled at the acquirer, and authorizations that were not captured in time are voided there. Works in
 * batches of one transaction each. Returns how many steps. A payment that arrives after the expiry still settles. If the
 * process dies before the acquirer has answered, the reconciler settles the operation.
 */
export async function runDuePayments(deps: Deps, merchant: Merchant): Promise<number> {
  let done = 0;
  for (;;) {
    const batch = await deps.db.transaction(merchant, async (tx) => {
      const at = now(deps, merchant);
      const begun: (BegunOperation | null)[] = [];
      for (const payment of await lockDuePayments(tx, merchant, { statuses, until: at, limit: BATCH })) {
        begun.push(await runStep({ deps, tx, merchant }, payment, at));
      }
      return begun;
    });
    await runOperations(
      deps,
      merchant,
      batch.filter((step) => step !== null),
    );
    done += batch.length;
    if (batch.length < BATCH) return done;
  }
}

/**
 * The same while the merchant's clock is advanced: operations whose answer was lost are reconciled too, so that they end
 * at the time at which they were due.
 */
export async function runDuePaymentsOfClock(deps: Deps, merchant: Merchant): Promise<number> {
  const done = await runDuePayments(deps, merchant);
  return done === 0 ? 0 : done + (await reconcileOperationsOf(deps, merchant));
}

/**
 * The same, unless the merchant's clock is being advanced: the advance then runs these steps itself, in order. Returns
 * how many steps.
 */
export async function runDuePaymentsUnlessAdvancing(deps: Deps, scope: MerchantScope): Promise<number> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined || merchant.clock.pinnedAt !== null) return 0;
  return runDuePayments(deps, merchant);
}

/** The operation that each step requests; null if the step needs no answer of the acquirer. */
const OPERATION_OF_STEP = {
  expire: null,
  cancel: { kind: 'cancel', move: 'request_cancel' },
  void: { kind: 'cancel', move: 'request_void' },
  capture: { kind: 'capture', move: 'request_capture' },
} as const;

/** Returns null if the step is complete before the acquirer has answered. */
async function runStep(
  context: TransactionContext,
  payment: Payment,
  at: Date,
): Promise<BegunOperation | null> {
  const { deps, tx, merchant } = context;
  const step = dueStep(payment, at);
  const requested = OPERATION_OF_STEP[step];
  await recordClockStep(deps, tx, merchant, { step: `${step}_${payment.method}`, objectId: payment.id });
  if (requested === null) {
    await movePayment(context, payment, { by: 'clock', at }, { move: 'expire' });
    return null;
  }
  const open = await findOpenOperation(tx, merchant, payment.id);
  if (open !== undefined && mayMove(payment, 'withdraw')) {
    const dueAt = new Date(at.getTime() + PAUSE_MS);
    await movePayment(context, payment, { by: 'clock', at }, { move: 'withdraw', details: { dueAt } });
    return null;
  }
  const id = uuidV7(at.getTime(), deps.random);
  const { amount_centavos } = payment;
  const operation = await beginOperation(context, payment, {
    ...requested,
    id,
    amount_centavos,
    by: 'clock',
  });
  if (operation === undefined) throw new Error(`The payment ${payment.id} has an open operation.`);
  return { operation, command: modifyCommand(merchant, payment, operation) };
}

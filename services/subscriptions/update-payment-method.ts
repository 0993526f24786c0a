import { findCustomer } from '../../db/customers/customers.ts';
import type { Tx } from '../../db/engine/database.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { isOpen } from '../../domain/payments/payment-state.ts';
import { changeMethod } from '../../domain/subscriptions/change-method.ts';
import { billingRules } from '../../domain/subscriptions/methods/index.ts';
import { chargeOverdueCycle } from '../../domain/subscriptions/reactivate-billing.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { methodInput } from '../payments/methods/index.ts';
import type { BegunOperation } from '../payments/run-operation.ts';
import { invalid, requireRow } from '../refusal.ts';
import { changeToMandate } from './change-to-mandate.ts';
import { addCyclePayment, type ChargeMeans, cyclePayment } from './cycle-payment.ts';
import { findSubscription } from './find-subscription.ts';
import { refuseMethodChange } from './method-change-rules.ts';
import { moveSubscription } from './move-subscription.ts';
import type { SubscriptionPayment } from './new-subscription.ts';
import { finishShown } from './shown-subscription.ts';
import {
  type LockedSubscription,
  mayStop,
  runWithCancellations,
  sendCancellations,
  stopAll,
  withLockedPayments,
} from './stop-charges.ts';
import { laterPayer, meansOf, prepareRequested, storedPayer } from './stored-means.ts';

const NOT_ENABLED = 'This payment method is not enabled for your account.';

export interface PaymentMethodUpdate {
  /** The id or the code of the subscription. */
  readonly identifier: string;
  readonly payment: SubscriptionPayment;
  /** The offer whose plan begins with a new mandate; null if the plan does not change. */
  readonly offerId: string | null;
}

/**
 * Gives a subscription another means of payment, or the same one again. A mandate is ended. A charge of the old means
 * that is not paid is withdrawn, and its cycle is charged by the new one once that is done. Another overdue cycle is
 * charged at once; if the charge is refused, the new means of payment stays. A mandate that waits for its payer is
 * ended; a change to Pix recurring waits for one itself (`changeToMandate`). Refusals: `not_found`, the card or the
 * customer, `wrong_state`, and those of `changeToMandate`.
 */
export async function updatePaymentMethod<Answer>(
  deps: Deps,
  merchant: Merchant,
  { identifier, payment, offerId }: PaymentMethodUpdate,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  if (!merchant.paymentMethods.includes(payment.method)) throw invalid({ 'payment.method': NOT_ENABLED });
  const found = await findSubscription(deps.db, merchant, identifier);
  if (billingRules(payment.method).needsMandate) {
    return changeToMandate(deps, merchant, { subscription: found, payment, offerId }, finish);
  }
  // The acquirer takes a wallet's token once. A request that is refused must not use it up.
  refuseMethodChange(found.billing, payment.method);
  const means = await prepareMeans(deps, merchant, found, payment);
  const changed = await withLockedPayments(deps, merchant, found, async (context, locked) => {
    await means.prepared.lock(context.tx, Promise.resolve(means.customer));
    return change(context, locked, payment, means);
  });
  const { cancellations, charge } = changed;
  const finishChanged = (tx: Tx) => finishShown({ deps, tx, merchant }, found.id, finish);
  if (charge !== null) return runWithCancellations(deps, merchant, { cancellations, charge }, finishChanged);
  await sendCancellations(deps, merchant, cancellations);
  return deps.db.transaction(merchant, finishChanged);
}

async function prepareMeans(
  deps: Deps,
  merchant: Merchant,
  subscription: Subscription,
  payment: SubscriptionPayment,
): Promise<ChargeMeans> {
  const { customerId, statementDescriptor, processingModel } = subscription;
  const input = {
    ...methodInput(payment),
    ...(statementDescriptor !== null && { statementDescriptor }),
    ...(processingModel !== null && { processingModel }),
  };
  const prepared = await prepareRequested(deps, merchant, payment, { input, isChargedNow: false });
  const stored = await findCustomer(deps.db, merchant, { by: 'id', value: customerId });
  return { prepared, customer: laterPayer(requireRow(stored), subscription) };
}

/** What is sent to the acquirer after the change of a payment method. */
interface BegunChange {
  /** Of the old method: its open payment, and its mandate. */
  readonly cancellations: readonly BegunOperation[];
  /** Of the overdue cycle. */
  readonly charge: BegunOperation | null;
}

/**
 * Changes the means of payment. While a payment of the old ones is being canceled, a later billing step charges the
 * cycle.
 */
async function change(
  context: TransactionContext,
  locked: LockedSubscription,
  requested: SubscriptionPayment,
  means: ChargeMeans,
): Promise<BegunChange> {
  const { deps, merchant } = context;
  const { subscription, latest } = locked;
  const { method } = requested;
  refuseMethodChange(subscription.billing, method);
  const at = now(deps, merchant);
  const wanted = { method, mandate: null };
  const methodChange = changeMethod(subscription.billing, wanted, 'merchant', at, mayStop(latest));
  const { cardId, walletCredentialId } = meansOf(requested, means.prepared);
  const payer = storedPayer(means.customer, subscription);
  const isStopped = methodChange.payment?.kind === 'withdraw' && latest !== null;
  let cancellations: readonly BegunOperation[] = [];
  const changed = await moveSubscription(context, subscription, methodChange, {
    at,
    means: { cardId, walletCredentialId },
    payer,
    pendingMandate: null,
    writePayments: async () => {
      cancellations = await stopAll(context, locked, { isStopped, at });
    },
  });
  // A charge that was withdrawn before can still be paid until it is canceled.
  const isStillOpen = latest !== null && isOpen(latest);
  const overdue = isStopped || isStillOpen ? null : chargeOverdueCycle(changed.billing, at);
  if (overdue?.payment?.kind !== 'charge') return { cancellations, charge: null };
  const payment = cyclePayment({ deps, merchant, subscription: changed, at }, overdue.payment, means);
  await moveSubscription(context, changed, overdue, { at, payment });
  return { cancellations, charge: await addCyclePayment(context, payment, means) };
}

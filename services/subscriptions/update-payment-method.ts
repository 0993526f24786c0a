import { findCustomer } from '../../db/customers/customers.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { changeMethod, methodChangeProblem } from '../../domain/subscriptions/change-method.ts';
import { chargeOverdueCycle } from '../../domain/subscriptions/reactivate-billing.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';
import { payingCustomer } from '../customers/resolve-customer.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { methodInput, methodModule } from '../payments/methods/index.ts';
import { runOperation } from '../payments/run-operation.ts';
import { invalid, notInThisState, requireRow } from '../refusal.ts';
import { addCyclePayment, type BegunCharge, type ChargeMeans, cyclePayment } from './cycle-payment.ts';
import { findSubscription } from './find-subscription.ts';
import { moveSubscription } from './move-subscription.ts';
import type { SubscriptionPayment } from './new-subscription.ts';
import { showSubscriptions } from './shown-subscription.ts';
import { meansOf } from './stored-means.ts';
import {
  type LockedSubscription,
  lockWithPayment,
  mayWithdraw,
  withdrawPayment,
} from './withdraw-payment.ts';

const NOT_ENABLED = 'This payment method is not enabled for your account.';

export interface PaymentMethodUpdate {
  /** The id or the code of the subscription. */
  readonly identifier: string;
  readonly payment: SubscriptionPayment;
}

/**
 * Gives a subscription another means of payment, or the same one again. A charge of the old one that is not paid is
 * withdrawn, and its cycle is charged by the new one once that is done. Another overdue cycle is charged at once; if the
 * charge is refused, the new means of payment stays. Refusals: `not_found`, the card or the customer, `wrong_state`.
 */
export async function updatePaymentMethod<Answer>(
  deps: Deps,
  merchant: Merchant,
  { identifier, payment }: PaymentMethodUpdate,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  if (!merchant.paymentMethods.includes(payment.method)) throw invalid({ 'payment.method': NOT_ENABLED });
  const found = await findSubscription(deps.db, merchant, identifier);
  const means = await prepareMeans(deps, merchant, found, payment);
  const changed = await deps.db.transaction(merchant, async (tx) => {
    const context = { deps, tx, merchant };
    const locked = await lockWithPayment(tx, merchant, found);
    await means.prepared.lock(tx, Promise.resolve(means.customer));
    const charge = await change(context, locked, payment, means);
    if (charge !== null) return { charge };
    return { charge, answer: await finishShown(context, found.id, finish) };
  });
  if (changed.charge === null) return changed.answer;
  const { operation, command } = changed.charge;
  return runOperation(deps, merchant, operation, command, (tx) =>
    finishShown({ deps, tx, merchant }, found.id, finish),
  );
}

async function prepareMeans(
  deps: Deps,
  merchant: Merchant,
  { customerId, statementDescriptor }: Subscription,
  payment: SubscriptionPayment,
): Promise<ChargeMeans> {
  const input = {
    ...methodInput(payment),
    ...(statementDescriptor !== null && { statementDescriptor }),
  };
  const prepared = await methodModule(payment.method).prepare(deps, merchant, input);
  const stored = await findCustomer(deps.db, merchant, { by: 'id', value: customerId });
  return { prepared, customer: payingCustomer(requireRow(stored)) };
}

/** Changes the means of payment. Returns the charge of the overdue cycle, if one is made now. */
async function change(
  context: TransactionContext,
  { subscription, payment: latest }: LockedSubscription,
  requested: SubscriptionPayment,
  means: ChargeMeans,
): Promise<BegunCharge | null> {
  const { deps, merchant } = context;
  const { method } = requested;
  const problem = methodChangeProblem(subscription.billing, method);
  if (problem !== null) {
    if (problem.about === 'method') throw invalid({ 'payment.method': problem.sentence });
    throw notInThisState(problem.sentence);
  }
  const at = now(deps, merchant);
  const wanted = { method, mandate: null };
  const methodChange = changeMethod(subscription.billing, wanted, 'merchant', at, mayWithdraw(latest));
  const { cardId, payer } = meansOf(requested, means.customer);
  const details = { at, means: { cardId, payer } };
  const changed = await moveSubscription(context, subscription, methodChange, details);
  if (methodChange.payment?.kind === 'withdraw') {
    await withdrawPayment(context, latest, { by: 'merchant', at });
    return null;
  }
  const charge = chargeOverdueCycle(changed.billing, at);
  if (charge?.payment?.kind !== 'charge') return null;
  const payment = cyclePayment(deps, merchant, changed, charge.payment, means, at);
  await moveSubscription(context, changed, charge, { at, payment });
  return addCyclePayment(context, payment, means);
}

/** Finishes with the subscription as it is now. */
async function finishShown<Answer>(
  { tx, merchant }: TransactionContext,
  id: string,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  const subscription = requireRow(await lockSubscription(tx, merchant, id));
  const [shown] = await showSubscriptions(tx, merchant, [subscription]);
  return finish(tx, shown!);
}

import { findCustomer } from '../../db/customers/customers.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import { normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { changeMethod, methodChangeProblem } from '../../domain/subscriptions/change-method.ts';
import { chargeOverdueCycle } from '../../domain/subscriptions/reactivate-billing.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';
import { payingCustomer } from '../customers/resolve-customer.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { methodInput, methodModule } from '../payments/methods/index.ts';
import { runOperation } from '../payments/run-operation.ts';
import { notInThisState, requireRow } from '../refusal.ts';
import { addCyclePayment, type BegunCharge, type ChargeMeans, cyclePayment } from './cycle-payment.ts';
import { findSubscription } from './find-subscription.ts';
import { moveSubscription } from './move-subscription.ts';
import type { SubscriptionPayment } from './new-subscription.ts';
import { showSubscriptions } from './shown-subscription.ts';

export interface PaymentMethodUpdate {
  /** The id or the code of the subscription. */
  readonly identifier: string;
  readonly payment: SubscriptionPayment;
}

/**
 * Gives a subscription another card, or the same one again. An overdue cycle is charged to it at once; if the charge is
 * refused, the card stays. Refusals: `not_found`, the card, `wrong_state`.
 */
export async function updatePaymentMethod<Answer>(
  deps: Deps,
  merchant: Merchant,
  { identifier, payment }: PaymentMethodUpdate,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  const { id, customerId, statementDescriptor } = await findSubscription(deps.db, merchant, identifier);
  const means = methodInput(payment) as { readonly id: string };
  const input = { ...means, ...(statementDescriptor !== null && { statementDescriptor }) };
  const prepared = await methodModule(payment.method).prepare(deps, merchant, input);
  const stored = await findCustomer(deps.db, merchant, { by: 'id', value: customerId });
  const customer = payingCustomer(requireRow(stored));
  const changed = await deps.db.transaction(merchant, async (tx) => {
    const context = { deps, tx, merchant };
    const subscription = requireRow(await lockSubscription(tx, merchant, id));
    await prepared.lock(tx, Promise.resolve(customer));
    const charge = await change(context, subscription, payment.method, normalizeUuid(means.id), {
      prepared,
      customer,
    });
    if (charge !== null) return { charge };
    return { charge, answer: await finishShown(context, id, finish) };
  });
  if (changed.charge === null) return changed.answer;
  const { operation, command } = changed.charge;
  return runOperation(deps, merchant, operation, command, (tx) =>
    finishShown({ deps, tx, merchant }, id, finish),
  );
}

/** Changes the card. Returns the charge of the overdue cycle, if there is one. */
async function change(
  context: TransactionContext,
  subscription: Subscription,
  method: SubscriptionPayment['method'],
  cardId: string,
  means: ChargeMeans,
): Promise<BegunCharge | null> {
  const { deps, merchant } = context;
  const problem = methodChangeProblem(subscription.billing, method);
  if (problem !== null) throw notInThisState(problem.sentence);
  const at = now(deps, merchant);
  const methodChange = changeMethod(subscription.billing, { method, mandate: null }, 'merchant', at);
  const changed = await moveSubscription(context, subscription, methodChange, { at, cardId });
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

import { findCustomer } from '../../db/customers/customers.ts';
import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Plan } from '../../domain/subscriptions/billing.ts';
import { firstChargeByMandate, planOfNewMandate } from '../../domain/subscriptions/change-method.ts';
import { changeOf } from '../../domain/subscriptions/engine/change.ts';
import { nextCharge } from '../../domain/subscriptions/engine/next-charge.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';
import { type PayingCustomer, payingCustomer } from '../customers/resolve-customer.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { methodInput } from '../payments/methods/index.ts';
import type { MandateInput } from '../payments/methods/pix-recurring.ts';
import { type BegunOperation, runOperation } from '../payments/run-operation.ts';
import { notInThisState, requireRow, Violations } from '../refusal.ts';
import { requireAcquirer } from '../require-acquirer.ts';
import {
  addMandateRequest,
  checkMandateAmounts,
  newMandateRequest,
  newMandateTerms,
  requestingPayment,
} from './mandate-request.ts';
import { refuseMethodChange } from './method-change-rules.ts';
import { moveSubscription } from './move-subscription.ts';
import type { SubscriptionPayment } from './new-subscription.ts';
import { finishWithPayment } from './shown-subscription.ts';
import {
  endMandates,
  type LockedSubscription,
  sendCancellations,
  withLockedPayments,
} from './stop-charges.ts';

/**
 * Asks the payer for a mandate by which a subscription is charged from then on. Nothing else changes before the payer has
 * authorized it (`subscriptionsOfMandates`), and nothing at all if the payer does not. A mandate that was requested by an
 * earlier change, and that still waits for the payer, is ended. Finishes with the payment that has the QR code. Refusals:
 * the amounts of the mandate, `wrong_state`, `unavailable`.
 */
export async function changeToMandate<Answer>(
  deps: Deps,
  merchant: Merchant,
  found: Subscription,
  payment: SubscriptionPayment,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  requireAcquirer(deps, 'No mandate can be requested');
  const stored = await findCustomer(deps.db, merchant, { by: 'id', value: found.customerId });
  const customer = payingCustomer(requireRow(stored));
  const { request, cancellations } = await withLockedPayments(deps, merchant, found, (context, locked) =>
    beginChange(context, locked, payment, customer),
  );
  await sendCancellations(deps, merchant, cancellations);
  return runOperation(deps, merchant, request, (tx, { id }) =>
    finishWithPayment({ deps, tx, merchant }, { id: found.id, paymentId: id }, finish),
  );
}

/** What is sent to the acquirer after the change is written. */
interface BegunMandateChange {
  readonly request: BegunOperation;
  /** Of the mandate that was requested before. */
  readonly cancellations: readonly BegunOperation[];
}

async function beginChange(
  context: TransactionContext,
  { subscription, requests }: LockedSubscription,
  payment: SubscriptionPayment,
  customer: PayingCustomer,
): Promise<BegunMandateChange> {
  const { deps, merchant } = context;
  const { billing, pendingMandate: replaced } = subscription;
  const input: MandateInput = methodInput(payment);
  const at = now(deps, merchant);
  const { plan, nextOn } = checkChange(subscription, payment.method, input);
  const terms = newMandateTerms(input, plan, at);
  const request = newMandateRequest(deps, merchant, terms, {
    charge: null,
    firstChargeOn: firstChargeByMandate(billing, payment.method, nextOn, merchantDay(at)),
    statement: input.recurringStatement,
    at,
  });
  // The payment has the new method already; the subscription keeps the old one.
  const asking = { ...subscription, billing: { ...billing, method: payment.method } };
  const requesting = requestingPayment({ deps, merchant, subscription: asking, at }, request, customer);
  const { mandateId } = request.details;
  const pendingMandate = { method: payment.method, mandateId, paymentId: requesting.id, terms };
  await moveSubscription(context, subscription, changeOf(billing), { at, pendingMandate });
  const cancellations = await endMandates(
    context,
    requests.filter(({ id }) => id === replaced?.paymentId),
  );
  return { cancellations, request: await addMandateRequest(context, requesting, request, customer) };
}

/** Refuses a change that is not possible. Returns what the mandate has to allow, and the day of the next charge. */
function checkChange(
  { billing, pendingUpgrade }: Subscription,
  method: SubscriptionPayment['method'],
  input: MandateInput,
): { readonly plan: Plan; readonly nextOn: string } {
  refuseMethodChange(billing, method);
  if (pendingUpgrade !== null) {
    throw notInThisState('The plan is being changed: the charge of the difference has no outcome yet.');
  }
  const next = nextCharge(billing);
  if (next === null) throw notInThisState('The subscription has no further charge.');
  const plan = planOfNewMandate(billing);
  const violations = new Violations();
  checkMandateAmounts(violations, plan, input);
  violations.throwIfAny();
  return { plan, nextOn: next.on };
}

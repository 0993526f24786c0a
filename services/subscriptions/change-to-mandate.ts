import { findCustomer } from '../../db/customers/customers.ts';
import { lockOfferForSale } from '../../db/products/offers.ts';
import { normalizeUuid } from '../../domain/identifiers.ts';
import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { qrExpiry } from '../../domain/payments/mandate.ts';
import type { Plan } from '../../domain/subscriptions/billing.ts';
import {
  firstChargeByMandate,
  planOfRequestedMandate,
  withDayOfMonth,
} from '../../domain/subscriptions/change-method.ts';
import { changeOf } from '../../domain/subscriptions/engine/change.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';
import type { PayingCustomer } from '../customers/resolve-customer.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { methodInput } from '../payments/methods/index.ts';
import type { MandateInput } from '../payments/methods/pix-recurring.ts';
import { requireAcquirer } from '../payments/require-acquirer.ts';
import type { BegunOperation } from '../payments/run-operation.ts';
import { invalid, notInThisState, requireRow, Violations } from '../refusal.ts';
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
import { planWithNewMandate, refuseDuringUpgrade } from './plan-change-request.ts';
import { finishWithPayment } from './shown-subscription.ts';
import {
  endMandates,
  type LockedSubscription,
  runWithCancellations,
  withLockedPayments,
} from './stop-charges.ts';
import { laterPayer, storedPayer } from './stored-means.ts';
import { NO_SUCH_OFFER } from './subscription-rules.ts';

/** A new mandate, as a merchant requests it. */
interface RequestedChange {
  /** As it was read before. */
  readonly subscription: Subscription;
  readonly payment: SubscriptionPayment;
  /** The offer whose plan begins with it; null if the plan does not change. */
  readonly offerId: string | null;
}

/**
 * Asks the payer for a mandate by which a subscription is charged from then on. Nothing else changes before the payer
 * has authorized it (`subscriptionsOfMandates`), and nothing at all if the payer does not. A mandate that was requested
 * by an earlier change, and that still waits for the payer, is ended. Finishes with the payment that has the QR code.
 * Refusals: the amounts of the mandate, the offer, `wrong_state`, `plan_change_in_progress`, `unavailable`.
 */
export async function changeToMandate<Answer>(
  deps: Deps,
  merchant: Merchant,
  requested: RequestedChange,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  requireAcquirer(deps, 'No mandate can be requested');
  const { subscription: found } = requested;
  const stored = await findCustomer(deps.db, merchant, { by: 'id', value: found.customerId });
  const customer = laterPayer(requireRow(stored), found);
  const { request, cancellations } = await withLockedPayments(deps, merchant, found, (context, locked) =>
    beginChange(context, locked, requested, customer),
  );
  return runWithCancellations(deps, merchant, { charge: request, cancellations }, (tx, { id }) =>
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
  { payment, offerId }: RequestedChange,
  customer: PayingCustomer,
): Promise<BegunMandateChange> {
  const { deps, merchant } = context;
  const { billing, pendingMandate: replaced } = subscription;
  const input: MandateInput = methodInput(payment);
  const at = now(deps, merchant);
  refuseMethodChange(billing, payment.method);
  refuseDuringUpgrade(subscription);
  const target = offerId === null ? null : await planOfOffer(context, subscription, offerId, at);
  const { plan, firstChargeOn } = checkPlan(subscription, target, payment, at);
  const terms = newMandateTerms(input, plan, at);
  const request = newMandateRequest(deps, merchant, terms, {
    charge: null,
    firstChargeOn,
    statement: input.recurringStatement,
    at,
  });
  // The payment has the new method already; the subscription keeps the old one.
  const asking = { ...subscription, billing: { ...billing, method: payment.method } };
  const requesting = requestingPayment({ deps, merchant, subscription: asking, at }, request, customer);
  const { mandateId } = request.details;
  const pendingMandate = { method: payment.method, mandateId, paymentId: requesting.id, terms, plan: target };
  const payer = storedPayer(customer, subscription);
  await moveSubscription(context, subscription, changeOf(billing), { at, pendingMandate, payer });
  const cancellations = await endMandates(
    context,
    requests.filter(({ id }) => id === replaced?.paymentId),
  );
  return { cancellations, request: await addMandateRequest(context, requesting, request, customer) };
}

async function planOfOffer(
  { tx, merchant }: TransactionContext,
  subscription: Subscription,
  offerId: string,
  at: Date,
): Promise<Plan> {
  const offer = await lockOfferForSale(tx, merchant, normalizeUuid(offerId));
  if (offer === undefined) throw invalid({ offerId: NO_SUCH_OFFER });
  return planWithNewMandate(subscription, offer, at);
}

/**
 * Refuses a mandate that does not allow the charges that follow. Returns what it has to allow, and the day of its first
 * charge. `target`: the plan that begins with it; null if the plan does not change.
 */
function checkPlan(
  { billing, bestChargeDay }: Subscription,
  target: Plan | null,
  payment: SubscriptionPayment,
  at: Date,
): { readonly plan: Plan; readonly firstChargeOn: string } {
  const ahead =
    target === null ? billing : { ...withDayOfMonth(billing, bestChargeDay), pendingPlan: target };
  const firstChargeOn = firstChargeByMandate(ahead, payment.method, merchantDay(at));
  if (firstChargeOn === null) throw notInThisState('The subscription has no further charge.');
  const plan = planOfRequestedMandate(billing, target, qrExpiry(at));
  const violations = new Violations();
  checkMandateAmounts(violations, plan, methodInput(payment));
  violations.throwIfAny();
  return { plan, firstChargeOn };
}

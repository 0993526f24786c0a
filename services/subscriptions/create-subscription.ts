import { findFirstOperation } from '../../db/payments/payment-operations.ts';
import { lockOfferForSale } from '../../db/products/offers.ts';
import { isSubscriptionCodeUsed, lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import { publicHash } from '../../domain/identifiers.ts';
import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Offer } from '../../domain/products/offer.ts';
import type { BillingChange } from '../../domain/subscriptions/engine/change.ts';
import { billingRules } from '../../domain/subscriptions/methods/index.ts';
import { startBilling } from '../../domain/subscriptions/start-billing.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';
import { requireSold } from '../checkout/checkout-rules.ts';
import { type PayingCustomer, resolveCustomer } from '../customers/resolve-customer.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { lockSplit, type NamedSplitLine } from '../ledger/resolve-split.ts';
import { CODE_USED, lookUpViolations, withEveryViolation } from '../orders/order-rules.ts';
import { methodInput } from '../payments/methods/index.ts';
import type { PreparedPayment } from '../payments/methods/method.ts';
import { requireAcquirer } from '../payments/require-acquirer.ts';
import { type BegunOperation, resumeOperation, runOperation } from '../payments/run-operation.ts';
import { runOrResume } from '../payments/run-or-resume.ts';
import { invalid, requireRow } from '../refusal.ts';
import { type FirstPayment, firstPayment } from './first-payment.ts';
import { newMandateTerms } from './mandate-request.ts';
import { chargeMethod } from './methods/index.ts';
import { addSubscription } from './move-subscription.ts';
import type { CheckoutStart, NewSubscription, StoredMeans } from './new-subscription.ts';
import { takePlaceAtLink } from './places-at-links.ts';
import { requireSubscriptions } from './require-subscriptions.ts';
import { finishShown } from './shown-subscription.ts';
import { meansOf, prepareRequested, storedPayer } from './stored-means.ts';
import { type CheckedSubscription, checkSubscription } from './subscription-rules.ts';

/**
 * Creates a subscription, and charges its first cycle if it has no trial and starts today. If the charge is refused,
 * the subscription exists and the charge is retried. If the acquirer does not answer, the payment stays `processing`,
 * and the reconciler settles it. Refusals: all fields that break a rule, together; `unavailable` if no acquirer is
 * configured.
 */
export async function createSubscription<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewSubscription,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  const begin = () =>
    beginSubscription(deps, merchant, { input, checkout: undefined }, finish).catch(
      async (error: unknown) => {
        throw await withEveryViolation(deps, merchant, lookedUp(deps, merchant, input), error);
      },
    );
  const { id, isRerun } = input;
  return startSubscription(deps, merchant, { id, isRerun, begin }, finish);
}

interface SubscriptionRun<Answer> extends Pick<NewSubscription, 'id' | 'isRerun'> {
  readonly begin: () => Promise<BegunSubscription<Answer>>;
}

/**
 * Writes a subscription by `begin`, and sends its first charge to the acquirer. If an earlier run of the request has
 * written the subscription, that one is settled.
 */
export async function startSubscription<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, isRerun, begin }: SubscriptionRun<Answer>,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  return runOrResume({
    isRerun,
    resume: () => resumeSubscription(deps, merchant, id, finish),
    begin,
    send: async (begun) => {
      if (begun.charge === null) return begun.answer;
      return runOperation(deps, merchant, begun.charge, (tx) =>
        finishShown({ deps, tx, merchant }, id, finish),
      );
    },
  });
}

function lookedUp(deps: Deps, merchant: Merchant, input: NewSubscription) {
  const { code } = input;
  return {
    ...input,
    isCodeUsed: async () => code !== null && isSubscriptionCodeUsed(deps.db, merchant, code),
  };
}

/** A subscription that is written: with its answer, or with a charge that is not sent yet. */
export type BegunSubscription<Answer> =
  | { readonly charge: BegunOperation }
  | { readonly charge: null; readonly answer: Answer };

/** Null for a method with a mandate, which is requested instead. */
async function prepareFirst(
  deps: Deps,
  merchant: Merchant,
  input: NewSubscription,
  checked: CheckedSubscription,
): Promise<PreparedPayment | null> {
  const { payment } = input;
  if (billingRules(payment.method).needsMandate) return null;
  const { change } = startsAt(input, checked, now(deps, merchant));
  const isChargedNow = change.payment?.kind === 'charge';
  if (!isChargedNow && chargeMethod(payment.method).isVerifiedBeforeCharge) {
    // The acquirer takes a token once. A request that is refused must not use it up.
    const violations = await lookUpViolations(deps, merchant, lookedUp(deps, merchant, input));
    violations.throwIfAny();
  }
  return prepareRequested(deps, merchant, payment, { input: methodInput(payment), isChargedNow });
}

/** The subscription as it starts if it is created at `at` (merchant's time). */
function startsAt(
  input: NewSubscription,
  checked: CheckedSubscription,
  at: Date,
): { readonly startAt: Date; readonly change: BillingChange } {
  const { method } = input.payment;
  const start = checked.startAt === null || checked.startAt < at ? at : checked.startAt;
  const { needsMandate } = billingRules(method);
  const change = startBilling(
    {
      ...input,
      method,
      plan: checked.plan,
      startOn: merchantDay(start),
      trialDays: checked.trialDays,
      firstDueOn: checked.firstDueOn,
      mandate: needsMandate ? newMandateTerms(methodInput(input.payment), checked.plan, at) : null,
    },
    at,
  );
  return { startAt: start, change };
}

interface RequestedSubscription {
  readonly input: NewSubscription;
  /** Given if a buyer starts it at a checkout page. */
  readonly checkout: CheckoutStart | undefined;
}

/** Transaction A: checks and writes a subscription. */
export async function beginSubscription<Answer>(
  deps: Deps,
  merchant: Merchant,
  { input, checkout }: RequestedSubscription,
  finish: Finish<ShownSubscription, Answer>,
): Promise<BegunSubscription<Answer>> {
  const checked = await checkSubscription(deps, merchant, input);
  requireAcquirer(deps, 'No subscription can be created');
  checkout?.checkTerms(checked);
  const prepared = checkout?.prepared ?? (await prepareFirst(deps, merchant, input, checked));
  return deps.db.transaction(merchant, async (tx) => {
    const charge = await write({ deps, tx, merchant }, { input, checked, prepared, checkout });
    if (charge !== null) return { charge };
    return { charge, answer: await finishShown({ deps, tx, merchant }, input.id, finish) };
  });
}

/** A subscription that was read and checked before the transaction. */
interface PreparedSubscription extends RequestedSubscription {
  readonly checked: CheckedSubscription;
  /** Null for a method with a mandate. */
  readonly prepared: PreparedPayment | null;
}

/** Writes the subscription and its first payment, if it has one now. */
async function write(
  context: TransactionContext,
  { input, checked, prepared, checkout }: PreparedSubscription,
): Promise<BegunOperation | null> {
  const { deps, tx, merchant } = context;
  const resolving = resolveCustomer(context, input.customer);
  const [customer, , split] = await Promise.all([
    resolving,
    prepared?.lock(tx, resolving),
    lockSplit(tx, merchant, input.split),
  ]);
  const problem = await checkout?.purchaseProblem(context, customer.id);
  if (checked.offer !== null) await lockSoldOffer(context, checked.offer, checkout);
  await requireSubscriptions(context, checkout === undefined ? 'merchant' : 'buyer');
  const at = now(deps, merchant);
  const start = startsAt(input, checked, at);
  const { change } = start;
  const first = firstPayment(deps, merchant, { change, means: input.payment, prepared, customer, at });
  const means = checkout?.means() ?? meansOf(input.payment, prepared);
  const created = newRecord(deps, merchant, input, { customer, split, ...start, at, first, means, checkout });
  const payment = first.of(created);
  if ((await addSubscription(context, created, change, payment)) === undefined) {
    throw invalid({ code: CODE_USED });
  }
  const begun = payment && (await first.add(context, payment));
  await takePlaceAtLink(context, created, change);
  // Refused last. Otherwise a page that sells nothing would still say which number the card of a subscriber has.
  if (problem !== undefined) throw problem;
  return begun;
}

/** The offer may have been archived since it was read. */
async function lockSoldOffer(
  { tx, merchant }: TransactionContext,
  { id }: Offer,
  checkout: CheckoutStart | undefined,
): Promise<void> {
  const offer = requireRow(await lockOfferForSale(tx, merchant, id));
  if (checkout !== undefined) requireSold(offer);
  else if (offer.state === 'archived') {
    throw invalid({ offerId: 'The offer is archived, so it accepts no new subscriptions.' });
  }
}

/** The subscription as it is before its first charge. */
function newRecord(
  deps: Deps,
  merchant: Merchant,
  input: NewSubscription,
  {
    customer,
    split,
    startAt,
    at,
    change,
    first,
    means,
    checkout,
  }: {
    readonly customer: PayingCustomer;
    readonly split: readonly NamedSplitLine[];
    readonly startAt: Date;
    readonly at: Date;
    readonly change: BillingChange;
    readonly first: FirstPayment;
    readonly means: StoredMeans;
    readonly checkout: CheckoutStart | undefined;
  },
): Subscription {
  const isPaid = change.billing.paidCycles > 0;
  const buyer = checkout?.buyer ?? null;
  return {
    id: input.id,
    code: input.code ?? publicHash(merchant.slot, deps.random),
    customerId: customer.id,
    cardId: means.cardId,
    walletCredentialId: means.walletCredentialId,
    payer: storedPayer(customer, { buyer }),
    mandateId: first.mandateId,
    mcc: input.mcc,
    currency: input.currency,
    installments: input.installments,
    statementDescriptor: means.statementDescriptor,
    processingModel: means.processingModel,
    description: input.description,
    notificationUrl: input.notificationUrl,
    items: input.items,
    split,
    startAt,
    bestChargeDay: input.bestChargeDay,
    paymentLinkId: checkout?.paymentLinkId ?? null,
    pageOfferId: checkout?.offerId ?? null,
    buyer,
    // A first cycle of 0 is paid at once.
    billing: isPaid
      ? { ...change.billing, status: 'payment_pending', paidCycles: 0, paidPeriod: null }
      : change.billing,
    pendingUpgrade: null,
    pendingMandate: null,
    latestPaymentId: null,
    cancellationReason: null,
    canceledAt: null,
    endedAt: null,
    createdAt: at,
    updatedAt: at,
  };
}

/** Settles the latest payment of a subscription that an earlier run has written. Undefined if none has written one. */
async function resumeSubscription<Answer>(
  deps: Deps,
  merchant: Merchant,
  id: string,
  finish: Finish<ShownSubscription, Answer>,
): Promise<{ answer: Answer } | undefined> {
  const finishIn: Finish<unknown, Answer> = (tx) => finishShown({ deps, tx, merchant }, id, finish);
  const found = await deps.db.transaction(merchant, async (tx) => {
    const subscription = await lockSubscription(tx, merchant, id);
    if (subscription === undefined) return undefined;
    const { latestPaymentId } = subscription;
    // A charge by a mandate is scheduled before it has an operation.
    const operation =
      latestPaymentId === null ? undefined : await findFirstOperation(tx, merchant, latestPaymentId);
    return operation === undefined ? { answer: await finishIn(tx, undefined) } : { operation };
  });
  if (found === undefined || found.operation === undefined) return found;
  return { answer: await resumeOperation(deps, merchant, found.operation, finishIn) };
}

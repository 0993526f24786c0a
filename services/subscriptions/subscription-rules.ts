import { findOffer } from '../../db/products/offers.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import { parseInstantOrDay } from '../../domain/iso-instant.ts';
import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Offer } from '../../domain/products/offer.ts';
import type { Plan } from '../../domain/subscriptions/billing.ts';
import { billingRules } from '../../domain/subscriptions/methods/index.ts';
import {
  newSubscriptionProblems,
  requestedPlan,
} from '../../domain/subscriptions/new-subscription-problems.ts';
import { checkCustomerReference } from '../customers/resolve-customer.ts';
import { type Deps, now } from '../deps.ts';
import { checkSplit } from '../ledger/resolve-split.ts';
import { checkAccount, checkInstallments, checkItems } from '../orders/order-rules.ts';
import { methodInput, methodModule } from '../payments/methods/index.ts';
import { Violations } from '../refusal.ts';
import { destinationProblem } from '../webhooks/check-destination.ts';
import { checkMandate } from './mandate-request.ts';
import { chargeMethod } from './methods/index.ts';
import type { NewSubscription } from './new-subscription.ts';

export const NO_SUCH_OFFER = 'You have no such offer.';

/** A valid request, completed by its offer. */
export interface CheckedSubscription {
  readonly plan: Plan;
  readonly offer: Offer | null;
  /** Null: now. */
  readonly startAt: Date | null;
  readonly trialDays: number;
  /** The due date of the first charge, if the request has one. Null: the default of the method. */
  readonly firstDueOn: string | null;
}

/** Checks what the contract's schema cannot express about a subscription, and refuses with every violation at once. */
export async function checkSubscription(
  deps: Deps,
  merchant: Merchant,
  input: NewSubscription,
): Promise<CheckedSubscription> {
  const violations = new Violations();
  const at = now(deps, merchant);
  checkAccount(merchant, violations, input);
  checkCustomerReference(violations, input.customer);
  if (input.amount_centavos !== null) checkItems(violations, input.items, input.amount_centavos);
  const startAt = input.startAt === null ? null : (parseInstantOrDay(input.startAt)?.from ?? null);
  if (input.startAt !== null && startAt === null) violations.add('startAt', 'Must be a date that exists.');
  const offer = await readOffer(deps, merchant, violations, input.offerId);
  const { method } = input.payment;
  const requested = { ...input, offer: offer ?? null, method, startAt };
  if (offer !== undefined) {
    for (const { about, sentence } of newSubscriptionProblems(requested, at)) violations.add(about, sentence);
  }
  const plan = offer === undefined ? undefined : requestedPlan(requested);
  const trialDays = input.trialDays ?? offer?.trialDays ?? 0;
  methodModule(method).check(violations, methodInput(input.payment), at);
  const firstDueOn = checkFirstDue(violations, input, { startAt, trialDays, at });
  if (plan !== undefined && billingRules(method).needsMandate) {
    checkMandate(violations, plan, input.nextChargeAmount_centavos, methodInput(input.payment));
  }
  if (plan !== undefined) {
    checkSplit(merchant, violations, input.split, lowestPrice(plan));
    const first_centavos = plan.ladder[0]!.amount_centavos;
    if (first_centavos > 0) checkInstallments(violations, input.installments, first_centavos);
  }
  if (input.notificationUrl !== null) {
    const problem = await destinationProblem(deps, merchant.merchantId, input.notificationUrl);
    if (problem !== undefined) violations.add('notificationUrl', problem);
  }
  violations.throwIfAny();
  return {
    plan: plan!,
    offer: offer ?? null,
    startAt,
    trialDays,
    firstDueOn,
  };
}

/** The due date of the first charge, which a request can give only if this charge is made now. */
function checkFirstDue(
  violations: Violations,
  { payment }: NewSubscription,
  start: { readonly startAt: Date | null; readonly trialDays: number; readonly at: Date },
): string | null {
  const { firstDue } = chargeMethod(payment.method);
  const day = firstDue?.day(methodInput(payment));
  if (firstDue === null || day === undefined) return null;
  const isLater =
    start.trialDays > 0 || (start.startAt !== null && merchantDay(start.startAt) > merchantDay(start.at));
  if (isLater) firstDue.refuse(violations);
  return day;
}

/** Null if the request names no offer; undefined if the merchant has no such offer. */
async function readOffer(
  deps: Deps,
  merchant: Merchant,
  violations: Violations,
  offerId: string | null,
): Promise<Offer | null | undefined> {
  if (offerId === null) return null;
  const offer = isUuid(offerId) ? await findOffer(deps.db, merchant, normalizeUuid(offerId)) : undefined;
  if (offer === undefined) violations.add('offerId', NO_SUCH_OFFER);
  return offer;
}

/** The lowest price above 0, which the split has to fit. */
function lowestPrice({ ladder }: Plan): number {
  const prices = ladder.map(({ amount_centavos }) => amount_centavos).filter((price) => price > 0);
  return prices.length === 0 ? 0 : Math.min(...prices);
}

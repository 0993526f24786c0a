import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { qrExpiry } from '../../domain/payments/mandate.ts';
import type { Offer } from '../../domain/products/offer.ts';
import type { Plan } from '../../domain/subscriptions/billing.ts';
import { withNextCycleOpened } from '../../domain/subscriptions/change-method.ts';
import {
  mandateProblem,
  type PlanChangeProblem,
  type PlanChangeQuote,
  type PlanChangeTime,
  quotePlanChange,
} from '../../domain/subscriptions/plan-change.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { type Deps, now } from '../deps.ts';
import { invalid, notInThisState, Refusal } from '../refusal.ts';

/** A change of the plan, as a merchant requests or previews it. */
export interface PlanChangeRequest {
  /** The id or the code of the subscription. */
  readonly identifier: string;
  readonly offerId: string;
  readonly effective: PlanChangeTime;
}

/** A change of the plan, as the merchant reads it. */
export interface ChangedPlan {
  readonly subscriptionId: string;
  readonly plan: Plan;
  readonly effective: PlanChangeTime;
  readonly delta_centavos: number;
  /** Null if no charge follows any more. */
  readonly nextChargeOn: string | null;
  readonly nextChargeAmount_centavos: number | null;
}

/** The plan of an offer, as a copy. Refuses an offer that no subscription can change to. */
export function planOfOffer({ id, type, state, interval, cycles }: Offer): Plan {
  if (type !== 'recurring' || interval === null) throw invalid({ offerId: 'Must be a recurring offer.' });
  if (state === 'archived') {
    throw invalid({ offerId: 'The offer is archived, so no subscription can change to it.' });
  }
  return { offerId: id, interval, ladder: cycles };
}

/**
 * The figures of a change now. Refusals: `plan_change_in_progress`, `wrong_state`, the offer, the time of the change.
 */
export function quoteChange(
  deps: Deps,
  merchant: Merchant,
  subscription: Subscription,
  { plan, effective }: Pick<ChangedPlan, 'plan' | 'effective'>,
): PlanChangeQuote {
  refuseDuringUpgrade(subscription);
  const { billing, pendingMandate } = subscription;
  if (pendingMandate !== null && pendingMandate.plan !== null) {
    throw changeInProgress('The plan is being changed: the payer has not authorized the mandate yet.');
  }
  const quote = quotePlanChange(billing, plan, effective, merchantDay(now(deps, merchant)));
  if (!('delta_centavos' in quote)) throw refusalOf(quote);
  const problem = mandateProblem(pendingMandate?.terms ?? null, plan, billing);
  if (problem !== null) throw refusalOf(problem);
  return quote;
}

/**
 * Refuses a change while the charge of an upgrade has no outcome, which decides the plan. Refusal:
 * `plan_change_in_progress`.
 */
export function refuseDuringUpgrade({ pendingUpgrade }: Pick<Subscription, 'pendingUpgrade'>): void {
  if (pendingUpgrade === null) return;
  throw changeInProgress('The plan is being changed: the charge of the difference has no outcome yet.');
}

/**
 * The plan of an offer for a subscription that asks for a new mandate at `at`, so that its present one does not matter.
 * Refusals: those of a change with the next cycle, which is a later one if a cycle is opened while the payer decides.
 */
export function planWithNewMandate({ billing }: Pick<Subscription, 'billing'>, offer: Offer, at: Date): Plan {
  const plan = planOfOffer(offer);
  const opened = { ...withNextCycleOpened(billing, qrExpiry(at)), mandate: null };
  const quote = quotePlanChange(opened, plan, 'next_cycle', merchantDay(at));
  if ('delta_centavos' in quote) return plan;
  throw quote.about === 'status' ? notInThisState(quote.sentence) : invalid({ offerId: quote.sentence });
}

function refusalOf({ about, sentence }: PlanChangeProblem): Refusal {
  switch (about) {
    case 'status':
      return notInThisState(sentence);
    case 'plan':
      return invalid({ offerId: sentence });
    case 'effective':
      return invalid({ effective: sentence });
  }
}

/** The reconciler asks the acquirer for the outcome after 20 s at the earliest. */
const RETRY_AFTER_S = 20;

function changeInProgress(reason: string): Refusal {
  return new Refusal('plan_change_in_progress', {
    message: `${reason} Try again later.`,
    retryAfter_s: RETRY_AFTER_S,
  });
}

/** A change with its figures. */
export function changedPlan(
  { id }: Pick<Subscription, 'id'>,
  plan: Plan,
  effective: PlanChangeTime,
  quote: PlanChangeQuote,
): ChangedPlan {
  return { subscriptionId: id, plan, effective, ...quote };
}

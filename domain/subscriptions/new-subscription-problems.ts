import { addDays } from '../business-days.ts';
import { merchantDay } from '../local-time.ts';
import type { Offer } from '../products/offer.ts';
import { priceOfCycle } from '../products/price-ladder.ts';
import type { Plan } from './billing.ts';
import { beyondMandate, type MandateTerms } from './mandate-terms.ts';
import { billingRules } from './methods/index.ts';
import type { BillingMethod } from './methods/names.ts';

/** A subscription as it is requested, as far as its plan and its dates are concerned. */
export interface RequestedPlan {
  readonly method: BillingMethod;
  /** The offer of the request; null if the request has a price of its own. */
  readonly offer: Pick<Offer, 'id' | 'type' | 'state' | 'interval' | 'cycles'> | null;
  /** Null if it is not sent. With an offer, it must be the offer's. */
  readonly interval: Plan['interval'] | null;
  /** Null if it is not sent. With an offer, it must be the price of the first cycle. */
  readonly amount_centavos: number | null;
  /** Null: now. */
  readonly startAt: Date | null;
}

/** A broken rule. `about` is the field of the request. */
export interface NewSubscriptionProblem {
  readonly about: 'offerId' | 'interval' | 'amount_centavos' | 'startAt' | 'method';
  readonly sentence: string;
}

/** The plan of a new subscription: a copy of the offer's, or one price for all cycles. Undefined if it has neither. */
export function requestedPlan({ offer, interval, amount_centavos }: RequestedPlan): Plan | undefined {
  if (offer !== null) {
    return offer.interval === null
      ? undefined
      : { offerId: offer.id, interval: offer.interval, ladder: offer.cycles };
  }
  if (interval === null || amount_centavos === null) return undefined;
  return { offerId: null, interval, ladder: [{ start: 1, end: null, amount_centavos }] };
}

/** All rules that the plan and the dates of a new subscription break (contract rows 8.2, 13.19, 13.23). */
export function newSubscriptionProblems(request: RequestedPlan, now: Date): NewSubscriptionProblem[] {
  const { method, offer, startAt } = request;
  const problems: NewSubscriptionProblem[] = offer === null ? [] : offerProblems(request, offer);
  const add = (about: NewSubscriptionProblem['about'], sentence: string) =>
    problems.push({ about, sentence });
  if (offer === null && request.amount_centavos === null) {
    add('amount_centavos', 'Send `offer_id` or `payment.amount`.');
  }
  if (offer === null && request.amount_centavos === 0) add('amount_centavos', 'Must be at least 1.');
  const plan = requestedPlan(request);
  if (plan?.interval === 'weekly' && !billingRules(method).needsMandate) {
    add('interval', 'Only a Pix recurring subscription can be charged weekly.');
  }
  if (offer === null && billingRules(method).needsMandate && plan !== undefined) {
    if (!PIX_INTERVALS.includes(plan.interval)) {
      add('interval', `Must be one of ${PIX_INTERVALS.join(', ')} for Pix recurring without an offer.`);
    }
  }
  const startOn = startAt === null ? null : merchantDay(startAt);
  const today = merchantDay(now);
  if (startOn !== null && startOn < today) add('startAt', 'Must not be in the past.');
  if (startOn !== null && startOn > addDays(today, MAX_DAYS_AHEAD)) {
    add('startAt', 'Must be at most 5 years ahead.');
  }
  return problems;
}

/** 5 years. */
const MAX_DAYS_AHEAD = 1_826;

const PIX_INTERVALS: readonly Plan['interval'][] = ['weekly', 'monthly', 'yearly'];

function offerProblems(
  { interval, amount_centavos }: RequestedPlan,
  offer: NonNullable<RequestedPlan['offer']>,
): NewSubscriptionProblem[] {
  if (offer.type !== 'recurring') {
    return [{ about: 'offerId', sentence: 'Must be a recurring offer.' }];
  }
  const problems: NewSubscriptionProblem[] = [];
  if (offer.state === 'archived') {
    problems.push({
      about: 'offerId',
      sentence: 'The offer is archived, so it accepts no new subscriptions.',
    });
  }
  if (interval !== null && interval !== offer.interval) {
    problems.push({ about: 'interval', sentence: `Must be the offer's, which is ${offer.interval}.` });
  }
  const first_centavos = priceOfCycle(offer.cycles, 1);
  if (amount_centavos !== null && amount_centavos !== first_centavos) {
    problems.push({
      about: 'amount_centavos',
      sentence: `Must be the offer's price of the first cycle, which is ${first_centavos} centavos.`,
    });
  }
  return problems;
}

/** What a merchant requests of a mandate of Pix Automático. */
export type RequestedMandate = Pick<MandateTerms, 'recurringAmount_centavos' | 'minAmount_centavos'>;

/**
 * The rules that the amounts of a mandate break (contract row 13.27). A mandate has one of the two amounts, or none.
 */
export function mandateProblems(
  plan: Plan,
  mandate: RequestedMandate,
): { readonly about: keyof RequestedMandate; readonly sentence: string }[] {
  const { recurringAmount_centavos: fixed, minAmount_centavos: minimum } = mandate;
  if (fixed !== null && minimum !== null) {
    return [{ about: 'minAmount_centavos', sentence: 'Must not be sent together with {recurringAmount}.' }];
  }
  const other = plan.ladder.find(
    (band) => beyondMandate({ ...mandate, interval: plan.interval }, { ...plan, ladder: [band] }) !== null,
  );
  if (other === undefined) return [];
  const example = `cycle ${other.start} is charged ${other.amount_centavos} centavos`;
  return fixed !== null
    ? [{ about: 'recurringAmount_centavos', sentence: `Must be the price of every cycle: ${example}.` }]
    : [{ about: 'minAmount_centavos', sentence: `Must be at most the lowest price of a cycle: ${example}.` }];
}

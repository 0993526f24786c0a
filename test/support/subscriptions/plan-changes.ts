import assert from 'node:assert/strict';
import type { BillingInterval } from '../../../domain/products/billing-interval.ts';
import type { Plan } from '../../../domain/subscriptions/billing.ts';
import {
  changePlan,
  type PlanChangeProblem,
  type PlanChangeQuote,
  type PlanChangeTime,
  quotePlanChange,
} from '../../../domain/subscriptions/plan-change.ts';
import { START } from './billing-players.ts';
import type { BillingPlayer } from './play-billing.ts';

export const priced = (
  amount_centavos: number,
  interval: BillingInterval = 'monthly',
  end: number | null = null,
): Plan => ({
  offerId: `${interval} ${amount_centavos}`,
  interval,
  ladder: [{ start: 1, end, amount_centavos }],
});

export const asked = (player: BillingPlayer, target: Plan, effective: PlanChangeTime, today: string) =>
  quotePlanChange(player.billing, target, effective, today);

export function quoted(
  player: BillingPlayer,
  target: Plan,
  effective: PlanChangeTime,
  today: string,
): PlanChangeQuote {
  const quote = asked(player, target, effective, today);
  assert.ok('delta_centavos' in quote, JSON.stringify(quote));
  return quote;
}

export function refused(
  player: BillingPlayer,
  target: Plan,
  effective: PlanChangeTime,
  today = START,
): PlanChangeProblem {
  const problem = asked(player, target, effective, today);
  assert.ok('about' in problem, JSON.stringify(problem));
  return problem;
}

/** Quotes a change on the player's day, and makes it. */
export function change(
  player: BillingPlayer,
  target: Plan,
  effective: PlanChangeTime,
  today: string,
): PlanChangeQuote {
  player.advanceThrough(today);
  const quote = quoted(player, target, effective, today);
  player.apply(changePlan(player.billing, target, effective, quote), 'change_plan');
  return quote;
}

export const charged = (player: BillingPlayer) =>
  player.charges.map(({ cycle, createdOn, amount_centavos }) => `${cycle}: ${createdOn} ${amount_centavos}`);

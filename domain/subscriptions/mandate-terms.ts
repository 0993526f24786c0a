import { addDays } from '../business-days.ts';
import { HOUR_MS } from '../durations.ts';
import { startOfMerchantDay } from '../local-time.ts';
import { type MandateState, mandateMachine } from '../payments/mandate-moves.ts';
import type { BillingInterval } from '../products/billing-interval.ts';
import { type PriceBand, priceOfCycle } from '../products/price-ladder.ts';
import { type BillingSchedule, cycleDate, MOST_CYCLES_AHEAD } from './billing-dates.ts';

/** What a payer agrees to in a mandate of Pix Automático. */
export interface MandateTerms {
  readonly state: MandateState;
  /** The mandate can be authorized until then. */
  readonly qrExpiresAt: Date;
  readonly interval: BillingInterval;
  /** Every charge has exactly this amount. Null if the amount varies. */
  readonly recurringAmount_centavos: number | null;
  /** No charge is lower. Null if there is no minimum. Never set together with the fixed amount. */
  readonly minAmount_centavos: number | null;
  /** Whether a refused charge may be retried after its due date. */
  readonly allowsRetries: boolean;
}

/** The part of a plan that a mandate does not allow; null if it allows the plan (contract row 13.27). */
export function beyondMandate(
  terms: Pick<MandateTerms, 'interval' | 'recurringAmount_centavos' | 'minAmount_centavos'>,
  plan: { readonly interval: BillingInterval; readonly ladder: readonly PriceBand[] },
): 'interval' | 'amount' | null {
  const { recurringAmount_centavos: fixed, minAmount_centavos: minimum } = terms;
  if (plan.interval !== terms.interval) return 'interval';
  const prices = plan.ladder.map(({ amount_centavos }) => amount_centavos);
  if (fixed !== null && prices.some((price) => price !== fixed)) return 'amount';
  if (minimum !== null && prices.some((price) => price < minimum)) return 'amount';
  return null;
}

/** The lowest amount above 0 that a mandate allows. */
export function lowestCharge_centavos(terms: MandateTerms | null): number {
  return terms?.recurringAmount_centavos ?? terms?.minAmount_centavos ?? 1;
}

/**
 * The day of the first charge by a mandate that pays the cycles from one on. A cycle that is free, or that the credit
 * pays, is not charged. If no cycle with a date is charged, it is the billing date of the first.
 */
export function firstChargeDate(
  {
    plan,
    schedule,
  }: { readonly plan: { readonly ladder: readonly PriceBand[] }; readonly schedule: BillingSchedule },
  from: number,
  credit_centavos = 0,
): string {
  let left_centavos = credit_centavos;
  for (let cycle = from; cycle <= from + MOST_CYCLES_AHEAD; cycle += 1) {
    const price_centavos = priceOfCycle(plan.ladder, cycle);
    if (price_centavos === null) break;
    if (price_centavos > left_centavos) return cycleDate(schedule, cycle);
    left_centavos -= price_centavos;
  }
  return cycleDate(schedule, from);
}

/** The mandate of a subscription that has ended. One that was refused or has expired does not change. */
export function canceledMandate(mandate: MandateTerms | null): MandateTerms | null {
  if (mandate === null || !mandateMachine.allows('cancel', mandate.state)) return mandate;
  return { ...mandate, state: 'canceled' };
}

/** Until when the receiver can withdraw a charge that was sent: 22:00 of the day before its due date. */
export function withdrawalDeadline(dueOn: string): Date {
  return new Date(startOfMerchantDay(addDays(dueOn, -1)).getTime() + 22 * HOUR_MS);
}

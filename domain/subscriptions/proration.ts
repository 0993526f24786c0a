import { type BillingInterval, INTERVAL_MONTHS } from '../products/billing-interval.ts';

/** A price and the interval for which it is charged. */
export interface IntervalPrice {
  readonly amount_centavos: number;
  readonly interval: BillingInterval;
}

/** The rest of a cycle, for which the price changes. */
export interface CycleRest {
  readonly interval: BillingInterval;
  readonly daysLeft: number;
  readonly daysInCycle: number;
}

/**
 * The difference in centavos if the rest of a cycle has another price; negative if the new price is lower. Prices of
 * other intervals are first scaled by months to the interval of the cycle. Only the result is rounded. Half a centavo
 * is rounded away from 0, so that the opposite change gives the opposite amount.
 */
export function prorate(from: IntervalPrice, to: IntervalPrice, cycle: CycleRest): number {
  const [fromMonths, toMonths, cycleMonths] = [from, to, cycle].map(({ interval }) => monthsOf(interval));
  const difference = BigInt(to.amount_centavos) * fromMonths! - BigInt(from.amount_centavos) * toMonths!;
  return Number(
    roundedQuotient(
      difference * cycleMonths! * BigInt(cycle.daysLeft),
      fromMonths! * toMonths! * BigInt(cycle.daysInCycle),
    ),
  );
}

/** Throws a RangeError for a week, which is no number of months. */
function monthsOf(interval: BillingInterval): bigint {
  if (interval === 'weekly') throw new RangeError('Weekly prices are not prorated.');
  return BigInt(INTERVAL_MONTHS[interval]);
}

/** The quotient by a positive divisor, rounded to the nearest integer; half is rounded away from 0. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor;
  return (2n * dividend + half) / (2n * divisor);
}

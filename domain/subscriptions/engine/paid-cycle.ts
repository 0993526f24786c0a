import { priceOfCycle } from '../../products/price-ladder.ts';
import type { Billing, OpenCycle } from '../billing.ts';
import { cycleDate, stepTime } from '../billing-dates.ts';
import { billingRules } from '../methods/index.ts';
import { isClosed, isPaidUp } from '../subscription-status.ts';
import type { WantedMove } from './change.ts';

/**
 * The billing after a cycle was paid. A plan that begins with the cycle has begun. A canceled subscription gets access
 * for the period of the cycle.
 */
export function afterPayment(
  billing: Billing,
  paid: Pick<OpenCycle, 'cycle' | 'billingDate' | 'plan' | 'interval' | 'amount_centavos'>,
): Billing {
  const { cycle, billingDate, interval, amount_centavos } = paid;
  const plan = paid.plan ?? billing.plan;
  const end = cycleDate(billing.schedule, cycle + 1);
  const costs = (of: number) =>
    interval === plan.interval && priceOfCycle(plan.ladder, of) === amount_centavos;
  const continues = paid.plan === undefined && costs(cycle) && (cycle === 1 || costs(cycle - 1));
  return {
    ...billing,
    plan,
    paidCycles: cycle,
    paidPeriod: {
      start: billingDate,
      end,
      interval,
      // The plan or its price begins with this cycle, or the plan was changed while the cycle was open or void.
      ...(!continues && { price: { amount_centavos, interval } }),
    },
    openCycle: null,
    endsAt: billing.status === 'canceled' ? stepTime(end) : billing.endsAt,
  };
}

/** The moves of a subscription whose cycle was paid. */
export function successMoves(billing: Billing): WantedMove[] {
  return [{ move: 'record_success' }, ...activation(billing), { move: 'advance_cycle' }];
}

/** A reactivation has made a subscription `active` again before its overdue cycle was paid. */
function activation({ status, method, openCycle }: Billing): WantedMove[] {
  const isRecovered = openCycle !== null && openCycle.invoice !== 'open';
  if (isPaidUp(status)) return isRecovered ? [{ move: 'activate' }] : [];
  return isClosed(status) ? [] : [{ move: 'activate', to: billingRules(method).paidStatus }];
}

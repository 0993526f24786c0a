import { priceOfCycle } from '../../products/price-ladder.ts';
import type { Billing } from '../billing.ts';
import { cycleDate } from '../billing-dates.ts';
import type { Invoice } from '../subscription.ts';

/** The fields of an invoice that never change. */
export type OpenedInvoice = Pick<
  Invoice,
  'cycle' | 'billingDate' | 'periodEnd' | 'amount_centavos' | 'credit_centavos'
>;

/** The invoice of a cycle that a change has opened. `billing` is the state after it. */
export function openedInvoice(billing: Billing, cycle: number): OpenedInvoice {
  const { openCycle, paidPeriod, plan, schedule } = billing;
  if (openCycle !== null) {
    const { billingDate, amount_centavos, credit_centavos } = openCycle;
    return {
      cycle,
      billingDate,
      periodEnd: cycleDate(schedule, cycle + 1),
      amount_centavos,
      credit_centavos,
    };
  }
  // The credit has paid all of the price, or the price is 0, so the cycle was paid when it was opened.
  const amount_centavos = priceOfCycle(plan.ladder, cycle)!;
  const { start: billingDate, end: periodEnd } = paidPeriod!;
  return { cycle, billingDate, periodEnd, amount_centavos, credit_centavos: amount_centavos };
}

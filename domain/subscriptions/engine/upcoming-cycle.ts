import { priceOfCycle } from '../../products/price-ladder.ts';
import { type Billing, type Plan, planAhead } from '../billing.ts';
import { type BillingSchedule, cycleDate, withInterval } from '../billing-dates.ts';
import { lowestCharge_centavos } from '../mandate-terms.ts';

/** The first cycle that is not opened yet, as it would be opened now. */
export interface UpcomingCycle {
  readonly cycle: number;
  readonly billingDate: string;
  readonly plan: Plan;
  /** The schedule of the cycles from this one on. */
  readonly schedule: BillingSchedule;
  /** The price, before the credit. */
  readonly amount_centavos: number;
  readonly credit_centavos: number;
}

/** The first cycle that is not opened yet. Null if its plan has ended: all cycles of a finite ladder were opened. */
export function upcomingCycle(billing: Billing): UpcomingCycle | null {
  const cycle = (billing.openCycle?.cycle ?? billing.paidCycles) + 1;
  const plan = planAhead(billing);
  const amount_centavos = priceOfCycle(plan.ladder, cycle);
  if (amount_centavos === null) return null;
  return {
    cycle,
    billingDate: cycleDate(billing.schedule, cycle),
    plan,
    schedule: withInterval(billing.schedule, cycle, plan.interval),
    amount_centavos,
    credit_centavos: creditFor(amount_centavos, billing),
  };
}

/** How much of the credit pays a price: all of the price, or as much as leaves a charge that the mandate allows. */
function creditFor(amount_centavos: number, { credit_centavos, mandate }: Billing): number {
  if (credit_centavos >= amount_centavos) return amount_centavos;
  return Math.max(0, Math.min(credit_centavos, amount_centavos - lowestCharge_centavos(mandate)));
}

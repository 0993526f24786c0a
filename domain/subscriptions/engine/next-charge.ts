import type { Billing } from '../billing.ts';
import { isFinished } from '../subscription-status.ts';
import { upcomingCycle } from './upcoming-cycle.ts';

/** The next charge of a subscription, as its record shows it. */
export interface NextCharge {
  /** Merchant's day: that of the retry if a cycle is overdue. */
  readonly on: string;
  /** The price of the cycle, before the credit. */
  readonly amount_centavos: number;
}

/** The next charge; null if there is none, because the subscription or its plan has ended. */
export function nextCharge(billing: Billing): NextCharge | null {
  if (isFinished(billing.status)) return null;
  const { openCycle } = billing;
  if (openCycle !== null) {
    const { next, attempt, billingDate, amount_centavos } = openCycle;
    return { on: next?.dueOn ?? attempt?.dueOn ?? billingDate, amount_centavos };
  }
  const upcoming = upcomingCycle(billing);
  return upcoming && { on: upcoming.billingDate, amount_centavos: upcoming.amount_centavos };
}

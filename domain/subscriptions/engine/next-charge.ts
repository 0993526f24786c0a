import type { Billing, OpenCycle } from '../billing.ts';
import { billingRules } from '../methods/index.ts';
import { isFinished } from '../subscription-status.ts';
import { upcomingCycle } from './upcoming-cycle.ts';

/** The next charge of a subscription, as its record shows it. */
export interface NextCharge {
  /** Merchant's day: that of the retry if a cycle is overdue. */
  readonly on: string;
  /** The price of the cycle, before the credit. */
  readonly amount_centavos: number;
  /** What is charged: the price less the credit. */
  readonly charged_centavos: number;
}

/**
 * The next charge. Null if there is none, because the subscription or its plan has ended, or because the subscription
 * is canceled and cannot be reactivated.
 */
export function nextCharge(billing: Billing): NextCharge | null {
  const { status, method, paidCycles, openCycle } = billing;
  const isFinal = paidCycles === 0 || !billingRules(method).canReactivate;
  const isUnderWay = openCycle !== null && openCycle.attempt !== null;
  if (isFinished(status) || (status === 'canceled' && isFinal && !isUnderWay)) return null;
  if (openCycle !== null) {
    const { next, attempt, billingDate } = openCycle;
    return { on: next?.dueOn ?? attempt?.dueOn ?? billingDate, ...amountsOf(openCycle) };
  }
  const upcoming = upcomingCycle(billing);
  return upcoming && { on: upcoming.billingDate, ...amountsOf(upcoming) };
}

function amountsOf({
  amount_centavos,
  credit_centavos,
}: Pick<OpenCycle, 'amount_centavos' | 'credit_centavos'>): Omit<NextCharge, 'on'> {
  return { amount_centavos, charged_centavos: amount_centavos - credit_centavos };
}

/**
 * Whether only the merchant can continue a subscription: it is canceled, or its overdue cycle has no charge that
 * follows until another means of payment is given. Its record has a next charge all the same.
 */
export function waitsForMerchant({ status, openCycle }: Billing): boolean {
  const isGivenUp = openCycle !== null && openCycle.attempt === null && openCycle.next === null;
  return status === 'canceled' || isGivenUp;
}

import type { Billing } from '../billing.ts';
import type { Invoice } from '../subscription.ts';
import { type BillingChange, changeOf, makeMoves } from './change.ts';
import { afterPayment, successMoves } from './paid-cycle.ts';

/** Whether money for a cycle pays it although it is not open: its invoice was voided, and no later cycle was opened. */
export function isPayable({ openCycle, paidCycles }: Billing, cycle: number): boolean {
  return openCycle === null && cycle === paidCycles + 1;
}

/** The customer paid the charge of a voided cycle before the acquirer canceled it. */
export function payVoidedCycle(
  billing: Billing,
  invoice: Pick<Invoice, 'cycle' | 'billingDate' | 'amount_centavos' | 'credit_centavos'>,
): BillingChange {
  const { interval } = billing.schedule;
  const left_centavos = Math.max(0, billing.credit_centavos - invoice.credit_centavos);
  return changeOf(afterPayment({ ...billing, credit_centavos: left_centavos }, { ...invoice, interval }), {
    moves: makeMoves(billing.status, 'acquirer', successMoves(billing)),
    invoices: [{ cycle: invoice.cycle, move: 'pay' }],
  });
}

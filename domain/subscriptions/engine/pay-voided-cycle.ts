import type { Attempt, Billing, OpenCycle } from '../billing.ts';
import type { Invoice } from '../subscription.ts';
import { type BillingChange, changeOf, makeMoves } from './change.ts';
import { afterPayment, successMoves } from './paid-cycle.ts';

type VoidedInvoice = Pick<Invoice, 'cycle' | 'billingDate' | 'amount_centavos' | 'credit_centavos'>;

/** Whether money for a cycle pays it although it is not open: its invoice was voided, and no later cycle was opened. */
export function isPayable({ openCycle, paidCycles }: Billing, cycle: number): boolean {
  return openCycle === null && cycle === paidCycles + 1;
}

/** The customer paid the charge of a voided cycle before the acquirer canceled it. */
export function payVoidedCycle(billing: Billing, invoice: VoidedInvoice): BillingChange {
  const { interval } = billing.schedule;
  return changeOf(afterPayment(withoutCredit(billing, invoice), { ...invoice, interval }), {
    moves: makeMoves(billing.status, 'acquirer', successMoves(billing)),
    invoices: [{ cycle: invoice.cycle, move: 'pay' }],
  });
}

/** The acquirer did not cancel the charge of a voided cycle: the customer can pay it until it expires. */
export function reopenVoidedCycle(
  billing: Billing,
  invoice: VoidedInvoice,
  kept: Omit<Attempt, 'isSent'>,
): BillingChange {
  const { cycle, billingDate, amount_centavos, credit_centavos } = invoice;
  const { interval } = billing.schedule;
  const openCycle: OpenCycle = {
    cycle,
    billingDate,
    interval,
    amount_centavos,
    credit_centavos,
    invoice: 'open',
    attempt: { ...kept, isSent: true },
    next: null,
    failures: 0,
    retriesFrom: null,
    giveUpOn: null,
  };
  const reopened = { ...withoutCredit(billing, invoice), openCycle };
  return changeOf(reopened, { invoices: [{ cycle, move: 'open' }] });
}

/** The billing without the credit that the void of an invoice had given back. */
function withoutCredit(billing: Billing, { credit_centavos }: VoidedInvoice): Billing {
  return { ...billing, credit_centavos: Math.max(0, billing.credit_centavos - credit_centavos) };
}

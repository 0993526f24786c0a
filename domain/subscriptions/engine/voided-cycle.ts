import { type Billing, NOT_ATTEMPTED } from '../billing.ts';
import type { Invoice } from '../subscription.ts';

type VoidedInvoice = Pick<Invoice, 'cycle' | 'billingDate' | 'amount_centavos' | 'credit_centavos'>;

/**
 * The billing without its open cycle, whose invoice is voided. The credit that was to pay a part of it is given back.
 */
export function withoutOpenCycle(billing: Billing): Billing {
  const { openCycle, credit_centavos } = billing;
  return {
    ...billing,
    openCycle: null,
    credit_centavos: credit_centavos + (openCycle?.credit_centavos ?? 0),
  };
}

/** Whether money for a cycle pays it although it is not open: its invoice was voided, and no later cycle was opened. */
export function isPayable({ openCycle, paidCycles }: Billing, cycle: number): boolean {
  return openCycle === null && cycle === paidCycles + 1;
}

/**
 * The billing with a voided cycle that is open again, because the acquirer has not canceled its charge. The credit that
 * the void of its invoice had given back is taken.
 */
export function withVoidedCycle(billing: Billing, invoice: VoidedInvoice): Billing {
  const { cycle, billingDate, amount_centavos, credit_centavos } = invoice;
  return {
    ...billing,
    credit_centavos: Math.max(0, billing.credit_centavos - credit_centavos),
    openCycle: {
      cycle,
      billingDate,
      interval: billing.schedule.interval,
      amount_centavos,
      credit_centavos,
      ...NOT_ATTEMPTED,
    },
  };
}

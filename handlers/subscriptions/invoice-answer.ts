import { utcMicros } from '../../domain/local-time.ts';
import type { InvoiceWithPayments } from '../../domain/subscriptions/subscription.ts';
import type { components } from '../../generated/types.ts';
import type { Deps } from '../../services/deps.ts';
import { paymentAnswer } from '../payments/payment-answer.ts';

/** The invoice of a billing cycle as in the contract. */
export function invoiceAnswer(
  deps: Pick<Deps, 'checkoutBaseUrl'>,
  invoice: InvoiceWithPayments,
): components['schemas']['Invoice'] {
  return {
    id: invoice.id,
    cycle: invoice.cycle,
    status: invoice.status,
    period_start: invoice.billingDate,
    period_end: invoice.periodEnd,
    billing_date: invoice.billingDate,
    amount: invoice.amount_centavos,
    credit_applied: invoice.credit_centavos,
    payments: invoice.payments.map((payment) => paymentAnswer(deps, payment)),
    paid_at: invoice.paidAt && utcMicros(invoice.paidAt),
    created_at: utcMicros(invoice.createdAt),
  };
}

import type { Checkout } from '../../domain/checkout/checkout.ts';
import {
  CHECKOUT_STATUS_OF,
  type CheckoutStatus,
  shownRefusal,
} from '../../domain/checkout/checkout-status.ts';
import { type InstallmentOption, installmentOptions } from '../../domain/installments.ts';
import { checkoutRules, statementDescriptor } from '../../domain/payments/methods/index.ts';
import { firstPaidAt, type Payment } from '../../domain/payments/payment.ts';
import type { PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';

/**
 * The numbers of installments that a buyer can choose, for the price or for the typed amount. Empty without an amount,
 * and if no method of the page has installments.
 */
export function shownInstallments(
  { amount_centavos, methods, installments }: Checkout,
  typed_centavos: number | undefined,
): readonly InstallmentOption[] {
  const price_centavos = amount_centavos ?? typed_centavos;
  if (price_centavos === undefined || !methods.some((method) => checkoutRules(method).hasInstallments))
    return [];
  return installmentOptions(price_centavos, installments);
}

/** The outcome of a payment as its buyer sees it. */
export function shownOutcome(payment: Payment): {
  readonly status: CheckoutStatus;
  readonly refusal: PaymentRefusal | null;
  readonly paidAt: Date | null;
} {
  const { status, refusal } = payment;
  return {
    status: CHECKOUT_STATUS_OF[status],
    refusal: shownRefusal(refusal),
    paidAt: firstPaidAt(payment) ?? null,
  };
}

/** The text of a payment on its buyer's card statement. Null if there is no such statement. */
export function shownStatementDescriptor(payment: Payment): string | null {
  return statementDescriptor(payment);
}

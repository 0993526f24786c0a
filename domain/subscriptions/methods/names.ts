import type { PaymentMethod } from '../../merchants/payment-methods.ts';

/** The payment methods that a subscription can use. */
export const BILLING_METHODS = [
  'credit_card',
  'browser_wallet',
  'bank_slip',
  'pix',
  'pix_recurring',
] as const satisfies readonly PaymentMethod[];

export type BillingMethod = (typeof BILLING_METHODS)[number];

/** Whether a subscription can be charged by a payment method. */
export function isBillingMethod(method: PaymentMethod): method is BillingMethod {
  return (BILLING_METHODS as readonly PaymentMethod[]).includes(method);
}

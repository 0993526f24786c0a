import type { PaymentMethod } from '../../merchants/merchant.ts';

/** The payment methods that a subscription can use. */
export const BILLING_METHODS = [
  'credit_card',
  'browser_wallet',
  'bank_slip',
  'pix',
  'pix_recurring',
] as const satisfies readonly PaymentMethod[];

export type BillingMethod = (typeof BILLING_METHODS)[number];

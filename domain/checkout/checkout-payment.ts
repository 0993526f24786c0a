import type { CheckoutMethod } from '../payments/methods/index.ts';
import type { Payment } from '../payments/payment.ts';

/** A payment that a buyer made at a checkout page, or a charge of a subscription that a buyer started there. */
export interface CheckoutPayment {
  readonly payment: Payment<CheckoutMethod>;
  /** The code of its subscription; null for other payments, and after the subscription has ended. */
  readonly liveSubscription: string | null;
}

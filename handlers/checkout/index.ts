import { createCheckoutPayment } from './create-checkout-payment.ts';
import { createCheckoutSubscription } from './create-checkout-subscription.ts';
import { getCheckout } from './get-checkout.ts';
import { getCheckoutPayment } from './get-checkout-payment.ts';
import { getCheckoutPaymentEvents } from './get-checkout-payment-events.ts';
import { getCheckoutSubscription } from './get-checkout-subscription.ts';

export const checkout = {
  createCheckoutPayment,
  createCheckoutSubscription,
  getCheckout,
  getCheckoutPayment,
  getCheckoutPaymentEvents,
  getCheckoutSubscription,
};

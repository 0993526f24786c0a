import { createCheckoutPayment } from './create-checkout-payment.ts';
import { getCheckout } from './get-checkout.ts';
import { getCheckoutPayment } from './get-checkout-payment.ts';
import { getCheckoutPaymentEvents } from './get-checkout-payment-events.ts';

export const checkout = { createCheckoutPayment, getCheckout, getCheckoutPayment, getCheckoutPaymentEvents };

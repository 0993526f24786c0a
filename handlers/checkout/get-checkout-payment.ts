import type { CheckoutPayment } from '../../domain/checkout/checkout-payment.ts';
import { pageHashOf } from '../../services/checkout/find-checkout.ts';
import { withOwner } from '../http/handler.ts';
import { checkoutPaymentAnswer } from './checkout-payment-answer.ts';
import { paymentOwner } from './owner.ts';

export const getCheckoutPayment = withOwner<'getCheckoutPayment', CheckoutPayment>(
  paymentOwner,
  async ({ deps, merchant, record: { payment, liveSubscription } }) => {
    const page = { hash: await pageHashOf(deps, merchant, payment), liveSubscription };
    return { status: 200, body: checkoutPaymentAnswer(deps, merchant, payment, page) };
  },
);

import { pageHashOf } from '../../services/checkout/find-checkout.ts';
import { findCheckoutPayment } from '../../services/checkout/find-owner.ts';
import { withOwner } from '../http/handler.ts';
import { checkoutPaymentAnswer } from './checkout-payment-answer.ts';
import { paymentOwner } from './owner.ts';

export const getCheckoutPayment = withOwner<'getCheckoutPayment'>(
  paymentOwner,
  async ({ deps, merchant, path }) => {
    const payment = await findCheckoutPayment(deps, path.hash);
    const pageHash = await pageHashOf(deps, merchant, payment);
    return { status: 200, body: checkoutPaymentAnswer(deps, merchant, payment, pageHash) };
  },
);

import { findCheckoutPayment } from '../../services/checkout/find-owner.ts';
import { withOwner } from '../http/handler.ts';
import { checkoutPaymentAnswer } from './checkout-payment-answer.ts';
import { paymentOwner } from './owner.ts';

export const getCheckoutPayment = withOwner<'getCheckoutPayment'>(paymentOwner, async ({ deps, path }) => ({
  status: 200,
  body: checkoutPaymentAnswer(deps, await findCheckoutPayment(deps, path.hash)),
}));

import type { Payment } from '../../domain/payments/payment.ts';
import { pageHashOf } from '../../services/checkout/find-checkout.ts';
import { withOwner } from '../http/handler.ts';
import { checkoutPaymentAnswer } from './checkout-payment-answer.ts';
import { paymentOwner } from './owner.ts';

export const getCheckoutPayment = withOwner<'getCheckoutPayment', Payment>(
  paymentOwner,
  async ({ deps, merchant, record: payment }) => {
    const pageHash = await pageHashOf(deps, merchant, payment);
    return { status: 200, body: checkoutPaymentAnswer(deps, merchant, payment, pageHash) };
  },
);

import type { CheckoutPayment } from '../../domain/checkout/checkout-payment.ts';
import { pageHashOf } from '../../services/checkout/find-checkout.ts';
import { followPayment } from '../../services/checkout/follow-payment.ts';
import { withOwner } from '../http/handler.ts';
import { checkoutPaymentAnswer } from './checkout-payment-answer.ts';
import { paymentOwner } from './owner.ts';

export const getCheckoutPaymentEvents = withOwner<'getCheckoutPaymentEvents', CheckoutPayment>(
  paymentOwner,
  async ({ deps, merchant, record: found }) => {
    const hash = await pageHashOf(deps, merchant, found.payment);
    const place = deps.paymentStreams.open(merchant.merchantId, found.payment.id);
    return {
      status: 200,
      body: undefined,
      stream: async (write, closed) => {
        using _ = place;
        const follower = {
          changed: ({ payment, liveSubscription }: CheckoutPayment) => {
            const answer = checkoutPaymentAnswer(deps, merchant, payment, { hash, liveSubscription });
            write(`event: payment\ndata: ${JSON.stringify(answer)}\n\n`);
          },
          unchanged: () => write(': waiting\n\n'),
          closed,
        };
        if (!closed.aborted) await followPayment(deps, merchant, found, follower);
      },
    };
  },
);

import type { Payment } from '../../domain/payments/payment.ts';
import { pageHashOf } from '../../services/checkout/find-checkout.ts';
import { followPayment } from '../../services/checkout/follow-payment.ts';
import { withOwner } from '../http/handler.ts';
import { checkoutPaymentAnswer } from './checkout-payment-answer.ts';
import { paymentOwner } from './owner.ts';

export const getCheckoutPaymentEvents = withOwner<'getCheckoutPaymentEvents', Payment>(
  paymentOwner,
  async ({ deps, merchant, record: payment }) => {
    const pageHash = await pageHashOf(deps, merchant, payment);
    const place = deps.paymentStreams.open(payment.id);
    return {
      status: 200,
      body: undefined,
      stream: async (write, closed) => {
        using _ = place;
        const follower = {
          changed: (changed: Payment) =>
            write(
              `event: payment\ndata: ${JSON.stringify(checkoutPaymentAnswer(deps, merchant, changed, pageHash))}\n\n`,
            ),
          unchanged: () => write(': waiting\n\n'),
        };
        if (!closed.aborted) await followPayment(deps, merchant, payment, follower, closed);
      },
    };
  },
);

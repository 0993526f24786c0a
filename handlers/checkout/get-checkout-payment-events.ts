import { pageHashOf } from '../../services/checkout/find-checkout.ts';
import { findCheckoutPayment } from '../../services/checkout/find-owner.ts';
import { followPayment } from '../../services/checkout/follow-payment.ts';
import { withOwner } from '../http/handler.ts';
import { checkoutPaymentAnswer } from './checkout-payment-answer.ts';
import { paymentOwner } from './owner.ts';

export const getCheckoutPaymentEvents = withOwner<'getCheckoutPaymentEvents'>(
  paymentOwner,
  async ({ deps, merchant, path }) => {
    const payment = await findCheckoutPayment(deps, path.hash);
    const pageHash = await pageHashOf(deps, merchant, payment);
    const place = deps.paymentStreams.open(payment.id);
    return {
      status: 200,
      body: undefined,
      stream: async (write, closed) => {
        using _ = place;
        const follower = {
          changed: (changed: typeof payment) =>
            write(
              `event: payment\ndata: ${JSON.stringify(checkoutPaymentAnswer(deps, merchant, changed, pageHash))}\n\n`,
            ),
          unchanged: () => write(': waiting\n\n'),
        };
        if (!closed.aborted) await followPayment(deps, payment, follower, closed);
      },
    };
  },
);

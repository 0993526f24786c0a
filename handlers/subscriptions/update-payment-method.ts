import { updatePaymentMethod as update } from '../../services/subscriptions/update-payment-method.ts';
import { withFieldNames } from '../http/handler.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

export const updatePaymentMethod = withFieldNames<'updatePaymentMethod'>(
  { 'payment.creditCard.id': 'credit_card.id' },
  ({ deps, merchant, path, body, answer }) =>
    update(
      deps,
      merchant,
      {
        identifier: path.id,
        payment: { method: body.payment_method, creditCard: { id: body.credit_card.id } },
      },
      answer((shown) => ({ status: 200, body: subscriptionAnswer(deps, shown) })),
    ),
);

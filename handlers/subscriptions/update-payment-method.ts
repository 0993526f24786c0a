import { updatePaymentMethod as update } from '../../services/subscriptions/update-payment-method.ts';
import { withFieldNames } from '../http/handler.ts';
import { domainWords } from '../words.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

export const updatePaymentMethod = withFieldNames<'updatePaymentMethod'>(
  { payment: '', 'payment.method': 'payment_method' },
  ({ deps, merchant, path, body: { payment_method, offer_id, ...methodInputs }, answer }) =>
    update(
      deps,
      merchant,
      {
        identifier: path.id,
        payment: { method: payment_method, ...domainWords(methodInputs) },
        offerId: offer_id ?? null,
      },
      answer((shown) => ({ status: 200, body: subscriptionAnswer(deps, shown) })),
    ),
);

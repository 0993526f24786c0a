import { updatePaymentMethod as update } from '../../services/subscriptions/update-payment-method.ts';
import { withFieldNames } from '../http/handler.ts';
import { domainWords } from '../words.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

export const updatePaymentMethod = withFieldNames<'updatePaymentMethod'>(
  {
    'payment.creditCard.id': 'credit_card.id',
    'payment.browserWallet.browserWalletToken': 'browser_wallet.browser_wallet_token',
    'payment.method': 'payment_method',
    'payment.pixRecurring.recurringAmount': 'pix_recurring.recurring_amount',
    'payment.pixRecurring.minAmount': 'pix_recurring.min_amount',
  },
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

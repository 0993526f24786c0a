import { createCheckoutPayment as payCheckout } from '../../services/checkout/create-checkout-payment.ts';
import { ENCRYPTED_FIELD_NAMES } from '../cards/encrypted-field-names.ts';
import { type Call, withFieldNames, withOwner } from '../http/handler.ts';
import { domainWords } from '../words.ts';
import { checkoutPaymentAnswer } from './checkout-payment-answer.ts';
import { encryptedCard } from './encrypted-card.ts';
import { pageOwner } from './owner.ts';

export const createCheckoutPayment = withOwner<'createCheckoutPayment'>(
  pageOwner,
  withFieldNames(
    { amount_centavos: 'amount', shownTotal_centavos: 'total_amount', ...ENCRYPTED_FIELD_NAMES },
    (call: Call<'createCheckoutPayment'>) => {
      const { body, path, newId, isRerun, clientAddress } = call;
      return payCheckout(
        call.deps,
        call.merchant,
        {
          id: newId,
          isRerun,
          hash: path.hash,
          clientAddress,
          method: body.payment_method,
          amount_centavos: body.amount,
          installments: body.installments ?? 1,
          shownTotal_centavos: body.total_amount,
          customer: domainWords(body.customer),
          language: body.language,
          encryptedCard: encryptedCard(body),
        },
        call.answer((payment) => ({
          status: 201,
          body: checkoutPaymentAnswer(call.deps, call.merchant, payment, {
            hash: path.hash,
            liveSubscription: null,
          }),
        })),
      );
    },
  ),
);

import { createCheckoutSubscription as subscribe } from '../../services/subscriptions/create-checkout-subscription.ts';
import { ENCRYPTED_FIELD_NAMES } from '../cards/encrypted-field-names.ts';
import { type Call, withFieldNames, withOwner } from '../http/handler.ts';
import { domainWords } from '../words.ts';
import { checkoutSubscriptionAnswer } from './checkout-subscription-answer.ts';
import { encryptedCard } from './encrypted-card.ts';
import { pageOwner } from './owner.ts';

export const createCheckoutSubscription = withOwner<'createCheckoutSubscription'>(
  pageOwner,
  withFieldNames(
    {
      // The offer can change between the check of the terms and the subscription.
      amount_centavos: 'terms',
      interval: 'terms',
      offerId: 'status',
      ...ENCRYPTED_FIELD_NAMES,
    },
    (call: Call<'createCheckoutSubscription'>) => {
      const { body, path, newId, isRerun, clientAddress } = call;
      return subscribe(
        call.deps,
        call.merchant,
        {
          id: newId,
          isRerun,
          hash: path.hash,
          clientAddress,
          method: body.payment_method,
          terms: body.terms,
          customer: domainWords(body.customer),
          language: body.language,
          encryptedCard: encryptedCard(body),
        },
        call.answer((subscription) => ({
          status: 201,
          body: checkoutSubscriptionAnswer(call.deps, call.merchant, subscription),
        })),
      );
    },
  ),
);

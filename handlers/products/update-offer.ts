import { updateOffer as updateOfferService } from '../../services/products/update-offer.ts';
import { withFieldNames } from '../http/handler.ts';
import { offerAnswer } from './offer-answer.ts';
import { priceBands } from './price-bands.ts';

export const updateOffer = withFieldNames<'updateOffer'>(
  { amount_centavos: 'amount', 'cycles.*.amount_centavos': 'cycles.*.amount' },
  ({ deps, merchant, path, body, answer }) =>
    updateOfferService(
      deps,
      merchant,
      {
        id: path.id,
        changes: {
          name: body.name,
          amount_centavos: body.amount,
          interval: body.interval,
          trialDays: body.trial_days,
          cycles: body.cycles && priceBands(body.cycles),
        },
      },
      answer((offer) => ({ status: 200, body: offerAnswer(deps, offer) })),
    ),
);

import { createOffer as createOfferService, type NewOffer } from '../../services/products/create-offer.ts';
import { type Call, withFieldNames } from '../http/handler.ts';
import { offerAnswer } from './offer-answer.ts';
import { priceBands } from './price-bands.ts';

export const createOffer = withFieldNames<'createOffer'>(
  { 'cycles.*.amount_centavos': 'cycles.*.amount' },
  (call) =>
    createOfferService(
      call.deps,
      call.merchant,
      newOffer(call),
      call.answer((offer) => ({ status: 201, body: offerAnswer(call.deps, offer) })),
    ),
);

/** The contract requires the fields of the type, and refuses those of the other type. */
function newOffer({ path, body, newId }: Call<'createOffer'>): NewOffer {
  const common = { id: newId, productId: path.id, name: body.name };
  return body.type === 'one_time'
    ? { ...common, type: body.type, amount_centavos: body.amount! }
    : {
        ...common,
        type: body.type,
        interval: body.interval!,
        trialDays: body.trial_days ?? 0,
        cycles: priceBands(body.cycles!),
      };
}

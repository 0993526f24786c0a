import { findOffer } from '../../services/products/find-offer.ts';
import type { Handler } from '../http/handler.ts';
import { offerAnswer } from './offer-answer.ts';

export const getOffer: Handler<'getOffer'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: offerAnswer(deps, await findOffer(deps, merchant, path.id)),
});

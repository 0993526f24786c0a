import { listOffers as listOffersService } from '../../services/products/find-offer.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { offerAnswer } from './offer-answer.ts';

export const listOffers: Handler<'listOffers'> = async ({ deps, merchant, path, query }) => {
  const { is_active: isActive } = query;
  const page = await listOffersService(deps, merchant, {
    productId: path.id,
    type: query.type,
    state: isActive === undefined ? undefined : isActive ? 'active' : 'archived',
    page: pageInput(query),
  });
  return { status: 200, body: pageAnswer(page, (offer) => offerAnswer(deps, offer)) };
};

import { listSubscriptions as list } from '../../services/subscriptions/find-subscription.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

export const listSubscriptions: Handler<'listSubscriptions'> = async ({ deps, merchant, query }) => {
  const page = await list(deps, merchant, {
    page: pageInput(query),
    status: query.status,
    customerId: query.customer_id,
    offerId: query.offer_id,
    code: query.code,
  });
  return { status: 200, body: pageAnswer(page, (shown) => subscriptionAnswer(deps, shown)) };
};

import { getSubscription as find } from '../../services/subscriptions/find-subscription.ts';
import type { Handler } from '../http/handler.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

export const getSubscription: Handler<'getSubscription'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: subscriptionAnswer(deps, await find(deps, merchant, path.id)),
});

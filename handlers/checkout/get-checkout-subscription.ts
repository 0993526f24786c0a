import { getCheckoutSubscription as findSubscription } from '../../services/subscriptions/find-checkout-subscription.ts';
import { withOwner } from '../http/handler.ts';
import { checkoutSubscriptionAnswer } from './checkout-subscription-answer.ts';
import { subscriptionOwner } from './owner.ts';

export const getCheckoutSubscription = withOwner<'getCheckoutSubscription'>(
  subscriptionOwner,
  async ({ deps, merchant, path }) => {
    const found = await findSubscription(deps, merchant, path.hash);
    return { status: 200, body: checkoutSubscriptionAnswer(deps, merchant, found) };
  },
);

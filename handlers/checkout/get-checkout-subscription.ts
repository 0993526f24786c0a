import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { showBuyersSubscription } from '../../services/subscriptions/find-checkout-subscription.ts';
import { withOwner } from '../http/handler.ts';
import { checkoutSubscriptionAnswer } from './checkout-subscription-answer.ts';
import { subscriptionOwner } from './owner.ts';

export const getCheckoutSubscription = withOwner<'getCheckoutSubscription', Subscription>(
  subscriptionOwner,
  async ({ deps, merchant, record }) => {
    const found = await showBuyersSubscription(deps, merchant, record);
    return { status: 200, body: checkoutSubscriptionAnswer(deps, merchant, found) };
  },
);

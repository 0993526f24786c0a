import { createSubscription as create } from '../../services/subscriptions/create-subscription.ts';
import { withFieldNames } from '../http/handler.ts';
import { FIELD_NAMES, newSubscription } from './new-subscription.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

export const createSubscription = withFieldNames<'createSubscription'>(FIELD_NAMES, (call) =>
  create(
    call.deps,
    call.merchant,
    newSubscription(call),
    call.answer((shown) => ({ status: 201, body: subscriptionAnswer(call.deps, shown) })),
  ),
);

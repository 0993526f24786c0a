import { cancelSubscription as cancel } from '../../services/subscriptions/cancel-subscription.ts';
import type { Handler } from '../http/handler.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

/** The contract requires either `id` or `code`. */
export const cancelSubscription: Handler<'cancelSubscription'> = ({
  deps,
  merchant,
  body,
  isRerun,
  answer,
}) =>
  cancel(
    deps,
    merchant,
    { identifier: body.id ?? body.code!, reason: body.reason ?? null, isRerun },
    answer((shown) => ({ status: 200, body: subscriptionAnswer(deps, shown) })),
  );

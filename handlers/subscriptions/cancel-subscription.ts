import { cancelSubscription as cancel } from '../../services/subscriptions/cancel-subscription.ts';
import type { Handler } from '../http/handler.ts';
import { subscriptionAnswer } from './subscription-answer.ts';

/** The contract requires either `id` or `code`. */
export const cancelSubscription: Handler<'cancelSubscription'> = ({
  deps,
  merchant,
  body: { id, code, reason = null },
  isRerun,
  answer,
}) =>
  cancel(
    deps,
    merchant,
    { key: id === undefined ? { code: code! } : { id }, reason, isRerun },
    answer((shown) => ({ status: 200, body: subscriptionAnswer(deps, shown) })),
  );

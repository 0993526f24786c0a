import { cancelMandate as cancel } from '../../services/sandbox/decide-mandate.ts';
import type { Handler } from '../http/handler.ts';
import { subscriptionAnswer } from '../subscriptions/subscription-answer.ts';

export const cancelMandate: Handler<'cancelMandate'> = ({ deps, merchant, path, body, isRerun, answer }) =>
  cancel(
    deps,
    merchant,
    { identifier: path.id, isRerun, reason: body?.reason ?? null },
    answer((shown) => ({ status: 200, body: subscriptionAnswer(deps, shown) })),
  );

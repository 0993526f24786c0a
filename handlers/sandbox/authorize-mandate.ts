import { authorizeMandate as authorize } from '../../services/sandbox/decide-mandate.ts';
import type { Handler } from '../http/handler.ts';
import { subscriptionAnswer } from '../subscriptions/subscription-answer.ts';

export const authorizeMandate: Handler<'authorizeMandate'> = ({ deps, merchant, path, isRerun, answer }) =>
  authorize(
    deps,
    merchant,
    { identifier: path.id, isRerun },
    answer((shown) => ({ status: 200, body: subscriptionAnswer(deps, shown) })),
  );

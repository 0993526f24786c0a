import { reactivateSubscription as reactivate } from '../../services/subscriptions/reactivate-subscription.ts';
import type { Handler } from '../http/handler.ts';

export const reactivateSubscription: Handler<'reactivateSubscription'> = ({ deps, merchant, path, answer }) =>
  reactivate(
    deps,
    merchant,
    path.id,
    answer(({ subscription: { id, billing }, nextCharge }) => ({
      status: 200,
      body: {
        message: 'The subscription is active.',
        data: { id, status: billing.status, next_charge_at: nextCharge?.on ?? null },
      },
    })),
  );

import type { Presenters } from '../services/deps.ts';
import { eventAnswer } from './events/event-answer.ts';
import { paymentAnswer } from './payments/payment-answer.ts';
import { subscriptionAnswer } from './subscriptions/subscription-answer.ts';

/** Resources in events have the form of their GET. */
export const presenters: Presenters = {
  payment: (deps, payment) => ({ ...paymentAnswer(deps, payment) }),
  subscription: (deps, shown) => ({ ...subscriptionAnswer(deps, shown) }),
  event: (event, environment) => ({ ...eventAnswer(event, environment) }),
};

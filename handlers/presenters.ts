import type { Presenters } from '../services/deps.ts';
import { paymentAnswer } from './payments/payment-answer.ts';

/** How resources look in events: exactly as their GET answers them. */
export const presenters: Presenters = {
  payment: (payment) => ({ ...paymentAnswer(payment) }),
};

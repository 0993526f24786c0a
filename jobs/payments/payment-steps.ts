import { DUE_PAYMENTS } from '../../db/payments/due-payments.ts';
import { runDuePaymentsUnlessAdvancing } from '../../services/payments/run-due-payments.ts';
import type { DueSteps } from '../due-steps.ts';

/** Steps of payments: expiries, cancellations, captures after a delay, and voids. */
export const PAYMENT_STEPS: DueSteps = {
  rows: DUE_PAYMENTS,
  run: runDuePaymentsUnlessAdvancing,
  failure: 'steps of payments failed',
};

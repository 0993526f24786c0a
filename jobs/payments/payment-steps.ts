import { DUE_PAYMENTS } from '../../db/payments/due-payments.ts';
import type { Deps } from '../../services/deps.ts';
import { runDuePaymentsUnlessAdvancing } from '../../services/payments/run-due-payments.ts';
import { type DueSteps, runDueStepsToEnd } from '../due-steps.ts';

/** Steps of payments: expiries, cancellations, captures after a delay, and voids. */
export const PAYMENT_STEPS: DueSteps = {
  rows: DUE_PAYMENTS,
  run: runDuePaymentsUnlessAdvancing,
  failure: 'steps of payments failed',
};

/** Runs all steps that are due now. Returns how many payments. Throws `DatabaseUnavailable` while the database is down. */
export const runPaymentSteps = (deps: Deps): Promise<number> => runDueStepsToEnd(deps, PAYMENT_STEPS);

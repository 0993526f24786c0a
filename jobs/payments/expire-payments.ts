import { DUE_PAYMENTS } from '../../db/payments/due-payments.ts';
import type { Deps } from '../../services/deps.ts';
import { runDuePaymentsUnlessAdvancing } from '../../services/payments/run-due-payments.ts';
import { type DueSteps, runDueStepsToEnd } from '../due-steps.ts';

/** Steps of payments, such as the expiry of a charge. */
export const PAYMENT_STEPS: DueSteps = {
  rows: DUE_PAYMENTS,
  run: runDuePaymentsUnlessAdvancing,
  failure: 'expiring payments failed',
};

/** Expires all that is due now. Returns how many payments. Throws `DatabaseUnavailable` while the database is down. */
export const expirePayments = (deps: Deps): Promise<number> => runDueStepsToEnd(deps, PAYMENT_STEPS);

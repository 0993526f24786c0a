import { DUE_SUBSCRIPTIONS } from '../../db/subscriptions/due-subscriptions.ts';
import { runDueBillingUnlessAdvancing } from '../../services/subscriptions/run-due-billing.ts';
import type { DueSteps } from '../due-steps.ts';

/** Steps of subscriptions. */
export const BILLING_STEPS: DueSteps = {
  rows: DUE_SUBSCRIPTIONS,
  run: runDueBillingUnlessAdvancing,
  failure: 'billing steps failed',
  // Each merchant sends at most 96 charges at the same time. With more merchants, a renewal day ends no earlier, and
  // the requests of that time take longer.
  concurrency: 4,
};

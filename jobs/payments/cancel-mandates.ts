import { DUE_MANDATES } from '../../db/payments/due-mandates.ts';
import type { Deps } from '../../services/deps.ts';
import { cancelDueMandatesUnlessAdvancing } from '../../services/payments/methods/mandates/run-due-mandates.ts';
import { type DueSteps, runDueStepsToEnd } from '../due-steps.ts';

/** Cancellations of mandates that no subscription uses any more. */
export const MANDATE_CANCELLATIONS: DueSteps = {
  rows: DUE_MANDATES,
  run: cancelDueMandatesUnlessAdvancing,
  failure: 'canceling mandates failed',
};

/** Cancels all that are due now. Returns how many. Throws `DatabaseUnavailable` while the database is down. */
export const cancelMandates = (deps: Deps): Promise<number> => runDueStepsToEnd(deps, MANDATE_CANCELLATIONS);

import { DUE_MANDATES } from '../../db/payments/due-mandates.ts';
import { cancelDueMandatesUnlessAdvancing } from '../../services/payments/methods/mandates/run-due-mandates.ts';
import type { DueSteps } from '../due-steps.ts';

/** Cancellations of mandates that no subscription uses any more. */
export const MANDATE_CANCELLATIONS: DueSteps = {
  rows: DUE_MANDATES,
  run: cancelDueMandatesUnlessAdvancing,
  failure: 'canceling mandates failed',
};

import { DUE_MANDATES } from '../../db/payments/due-mandates.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { cancelDueMandatesUnlessAdvancing } from '../../services/payments/methods/mandates/run-due-mandates.ts';
import { dueSteps } from '../due-steps.ts';
import { type Work, WorkLoop } from '../work-loop.ts';

/** Merchants with mandates that no subscription uses any more. */
export function mandatesToCancel(
  deps: Deps,
  onCanceled: (count: number) => void = () => {},
): Work<MerchantScope> {
  return dueSteps(deps, {
    rows: DUE_MANDATES,
    run: cancelDueMandatesUnlessAdvancing,
    failure: 'canceling mandates failed',
    onDone: onCanceled,
  });
}

/** Cancels all that are due now. Returns how many. Throws `DatabaseUnavailable` while the database is down. */
export async function cancelMandates(deps: Deps): Promise<number> {
  let canceled = 0;
  const work = mandatesToCancel(deps, (count) => {
    canceled += count;
  });
  await new WorkLoop(deps, work).runToEnd();
  return canceled;
}

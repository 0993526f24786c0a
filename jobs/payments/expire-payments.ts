import { DUE_PAYMENTS } from '../../db/payments/due-payments.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { runDuePaymentsUnlessAdvancing } from '../../services/payments/run-due-payments.ts';
import { dueSteps } from '../due-steps.ts';
import { type Work, WorkLoop } from '../work-loop.ts';

/** Merchants whose payments have a step that is due, such as the expiry of a charge. */
export function paymentsToExpire(
  deps: Deps,
  onExpired: (count: number) => void = () => {},
): Work<MerchantScope> {
  return dueSteps(deps, {
    rows: DUE_PAYMENTS,
    run: runDuePaymentsUnlessAdvancing,
    failure: 'expiring payments failed',
    onDone: onExpired,
  });
}

/** Expires all that is due now. Returns how many payments. Throws `DatabaseUnavailable` while the database is down. */
export async function expirePayments(deps: Deps): Promise<number> {
  let expired = 0;
  const work = paymentsToExpire(deps, (count) => {
    expired += count;
  });
  await new WorkLoop(deps, work).runToEnd();
  return expired;
}

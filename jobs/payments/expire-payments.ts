import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import { DUE_PAYMENTS } from '../../db/payments/due-payments.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { runDuePaymentsUnlessAdvancing } from '../../services/payments/run-due-payments.ts';
import { dueMerchants } from '../due-merchants.ts';
import { type Work, WorkLoop } from '../work-loop.ts';

const EXPIRING_FAILED = 'expiring payments failed';
/**
 * The maximum of merchants at a time. It is low because a merchant whose rows are locked holds a connection for
 * seconds, and requests need connections too.
 */
const CONCURRENCY = 6;

/** Merchants whose payments have a step that is due, such as the expiry of a charge. */
export function paymentsToExpire(
  deps: Deps,
  onExpired: (count: number) => void = () => {},
): Work<MerchantScope> {
  return {
    ...dueMerchants(deps, DUE_PAYMENTS),
    run: async (scope) => {
      const expired = await runDuePaymentsUnlessAdvancing(deps, scope).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error;
        // The merchant has no lease and would be claimed again at once, so a failure counts as no result.
        deps.log.error({ merchant_id: scope.merchantId, err: error }, EXPIRING_FAILED);
        return 0;
      });
      onExpired(expired);
      return expired > 0;
    },
    failure: () => ({ message: EXPIRING_FAILED }),
    concurrency: CONCURRENCY,
  };
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

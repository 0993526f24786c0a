import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import { DUE_SUBSCRIPTIONS } from '../../db/subscriptions/due-subscriptions.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { runDueBillingUnlessAdvancing } from '../../services/subscriptions/run-due-billing.ts';
import { dueMerchants } from '../due-merchants.ts';
import { type Work, WorkLoop } from '../work-loop.ts';

const BILLING_FAILED = 'billing steps failed';
/**
 * The maximum of merchants at a time. Each sends at most 96 charges at the same time. With more, a renewal day ends no
 * earlier, and the requests of that time take longer.
 */
const CONCURRENCY = 4;

/** Merchants whose subscriptions have a step that is due. */
export function billingSteps(deps: Deps, onSteps: (count: number) => void = () => {}): Work<MerchantScope> {
  return {
    ...dueMerchants(deps, DUE_SUBSCRIPTIONS),
    run: async (scope) => {
      const steps = await runDueBillingUnlessAdvancing(deps, scope).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error;
        // The merchant has no lease and would be claimed again at once, so a failure counts as no result.
        deps.log.error({ merchant_id: scope.merchantId, err: error }, BILLING_FAILED);
        return 0;
      });
      onSteps(steps);
      return steps > 0;
    },
    failure: () => ({ message: BILLING_FAILED }),
    concurrency: CONCURRENCY,
  };
}

/** Runs all billing steps that are due now. Returns how many. Throws `DatabaseUnavailable` while the database is down. */
export async function runBillingSteps(deps: Deps): Promise<number> {
  let done = 0;
  const work = billingSteps(deps, (count) => {
    done += count;
  });
  await new WorkLoop(deps, work).runToEnd();
  return done;
}

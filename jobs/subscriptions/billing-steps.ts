import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import {
  merchantsWithDueSubscriptions,
  merchantsWithSubscriptionsDueByClock,
  slotsWithDueSubscriptions,
  slotsWithSubscriptionsDueByClock,
} from '../../db/subscriptions/due-subscriptions.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { runDueBillingUnlessAdvancing } from '../../services/subscriptions/run-due-billing.ts';
import { type Work, WorkLoop } from '../work-loop.ts';

const BILLING_FAILED = 'billing steps failed';
/** The maximum of merchants at a time. Each sends at most 64 charges at the same time. */
const CONCURRENCY = 6;

/**
 * Merchants whose subscriptions have a step that is due by wall time. In the sandbox also by clocks that were advanced; a
 * clock is never behind wall time. While a clock is being advanced, the advance runs its steps itself, in order.
 */
export function billingSteps(deps: Deps, onSteps: (count: number) => void = () => {}): Work<MerchantScope> {
  const isSandbox = deps.environment === 'sandbox';
  return {
    findSlots: async (wall) => {
      const slots = await slotsWithDueSubscriptions(deps.db, wall);
      const ahead = isSandbox ? await slotsWithSubscriptionsDueByClock(deps.db, wall) : [];
      return [...new Set([...slots, ...ahead])];
    },
    claim: async (slot, { wall, ...claim }) => {
      const due = await merchantsWithDueSubscriptions(deps.db, slot, { ...claim, until: wall });
      if (!isSandbox || due.length === claim.limit) return due;
      const except = [...claim.except, ...due.map(({ merchantId }) => merchantId)];
      const rest = { only: claim.only, limit: claim.limit - due.length, except, wall };
      return [...due, ...(await merchantsWithSubscriptionsDueByClock(deps.db, slot, rest))];
    },
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

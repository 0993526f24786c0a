import type { MerchantScope } from '../domain/scope.ts';
import { advancesToResume } from '../services/clock/finish-advance.ts';
import type { Deps } from '../services/deps.ts';
import { rowsToDelete } from '../services/maintenance/clean-up.ts';
import { paymentsToExpire } from '../services/payments/expire-payments.ts';
import { operationsToReconcile } from '../services/payments/reconcile-operations.ts';
import { type Work, WorkLoop } from '../services/work-loop.ts';
import type { Job } from './loop.ts';
import { tokensToFetch } from './network-tokens.ts';
import { codesToExpire } from './security-code-expiry.ts';
import { runOnce as gatherStatistics } from './table-statistics.ts';

/** Every background loop of a worker. */
export function backgroundJobs(deps: Deps): Job[] {
  return [
    slotWork(deps, 'reconcile operations', 1_000, operationsToReconcile(deps)),
    slotWork(deps, 'expire payments', 1_000, paymentsToExpire(deps)),
    slotWork(deps, 'clock advances', 1_000, advancesToResume(deps)),
    slotWork(deps, 'network tokens', 1_000, tokensToFetch(deps)),
    slotWork(deps, 'security codes', 10_000, codesToExpire(deps)),
    { name: 'table statistics', interval_ms: 1_000, runOnce: () => gatherStatistics(deps) },
    slotWork(deps, 'clean up', 60_000, rowsToDelete(deps)),
  ];
}

/** Looks for work once an interval; what it has begun by then goes on beside it. */
function slotWork<Item extends MerchantScope>(
  deps: Deps,
  name: string,
  interval_ms: number,
  work: Work<Item>,
): Job {
  const loop = new WorkLoop(deps, work);
  const runOnce = async () => {
    await loop.round();
    return 0;
  };
  return { name, interval_ms, runOnce, stop: () => loop.stop() };
}

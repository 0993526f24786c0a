import { cleanUp } from '../services/clean-up.ts';
import type { Deps } from '../services/deps.ts';
import { expirePayments } from '../services/expire-payments.ts';
import { reconcileOperations } from '../services/reconcile-operations.ts';
import { runOnce as advanceClocks } from './clock-advances.ts';
import type { Job } from './loop.ts';
import { runOnce as fetchNetworkTokens } from './network-tokens.ts';
import { runOnce as expireSecurityCodes } from './security-code-expiry.ts';
import { runOnce as gatherStatistics } from './table-statistics.ts';

/** Every background loop of a worker. */
export function backgroundJobs(deps: Deps): Job[] {
  return [
    { name: 'reconcile operations', interval_ms: 1_000, runOnce: () => reconcileOperations(deps) },
    { name: 'expire payments', interval_ms: 1_000, runOnce: () => expirePayments(deps) },
    { name: 'clock advances', interval_ms: 1_000, runOnce: () => advanceClocks(deps) },
    { name: 'network tokens', interval_ms: 1_000, runOnce: () => fetchNetworkTokens(deps) },
    { name: 'security codes', interval_ms: 10_000, runOnce: () => expireSecurityCodes(deps) },
    { name: 'table statistics', interval_ms: 1_000, runOnce: () => gatherStatistics(deps) },
    { name: 'clean up', interval_ms: 60_000, runOnce: () => cleanUp(deps) },
  ];
}

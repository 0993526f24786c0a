import type { Deps } from '../services/deps.ts';
import { expirePayments } from '../services/expire-payments.ts';
import { reconcileOperations } from '../services/reconcile-operations.ts';
import type { Job } from './loop.ts';

/** Every background loop of a worker. */
export function backgroundJobs(deps: Deps): Job[] {
  return [
    { name: 'reconcile operations', interval_ms: 1_000, runOnce: () => reconcileOperations(deps) },
    { name: 'expire payments', interval_ms: 1_000, runOnce: () => expirePayments(deps) },
  ];
}

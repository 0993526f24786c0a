import type { MerchantScope } from '../../domain/scope.ts';
import type { Tx } from '../engine/database.ts';

/**
 * The name of the merchant's plan. The plan cannot change before the transaction ends. Other transactions can lock it
 * in the same way, and change other columns of the row.
 */
export function lockPlanShared(tx: Tx, scope: MerchantScope): Promise<string> {
  return planOf(tx, scope, 'for key share');
}

/** The same for a transaction that may change the plan. It waits for the shared locks, and they wait for it. */
export function lockPlan(tx: Tx, scope: MerchantScope): Promise<string> {
  return planOf(tx, scope, 'for update');
}

async function planOf(tx: Tx, scope: MerchantScope, lock: string): Promise<string> {
  const { plan } = await tx.one<{ plan: string }>(scope, `select plan from merchants where {scope} ${lock}`);
  return plan;
}

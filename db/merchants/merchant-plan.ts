import type { MerchantScope } from '../../domain/scope.ts';
import type { Tx } from '../engine/database.ts';

/**
 * The name of the merchant's plan, which cannot be replaced by another (`lockPlan`) before the transaction ends. Other
 * transactions read it so too, and change the rest of the row.
 */
export function keepPlan(tx: Tx, scope: MerchantScope): Promise<string> {
  return planOf(tx, scope, 'for key share');
}

/** The same for a transaction that may replace the plan: it waits for those that keep it, and they wait for it. */
export function lockPlan(tx: Tx, scope: MerchantScope): Promise<string> {
  return planOf(tx, scope, 'for update');
}

async function planOf(tx: Tx, scope: MerchantScope, lock: string): Promise<string> {
  const { plan } = await tx.one<{ plan: string }>(scope, `select plan from merchants where {scope} ${lock}`);
  return plan;
}

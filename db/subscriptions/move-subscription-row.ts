import type { MerchantScope } from '../../domain/scope.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import type { Tx } from '../engine/database.ts';
import { BILLING_COLUMNS, billingParams } from './subscription-row.ts';

/**
 * Writes a change of a subscription that was read under its lock. Returns false, with nothing written, if it is no longer
 * in the state that was read. The only statement that changes a subscription.
 */
export async function moveSubscriptionRow(
  tx: Tx,
  scope: MerchantScope,
  { before, after }: { readonly before: Subscription; readonly after: Subscription },
): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    `update subscriptions set ${BILLING_COLUMNS.map((column) => `${column} = :${column}`).join(', ')}
      where {scope} and id = :id and status = :from_status and paid_cycles = :from_paid_cycles`,
    {
      ...billingParams(after),
      id: before.id,
      from_status: before.billing.status,
      from_paid_cycles: before.billing.paidCycles,
    },
  );
  return touched === 1;
}

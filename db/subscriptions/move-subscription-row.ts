import type { MerchantScope } from '../../domain/scope.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { bulk, eachOnce } from '../engine/bulk.ts';
import type { Tx } from '../engine/database.ts';
import { rowList } from '../engine/row-list.ts';
import { BILLING_COLUMNS, BILLING_TYPES, billingParams } from './subscription-row.ts';

/** A change of a subscription. `before` was read under its lock. */
interface SubscriptionRowChange {
  readonly before: Subscription;
  readonly after: Subscription;
}

/**
 * Writes a change of a subscription that was read under its lock. Returns false, with nothing written, if it is no
 * longer in the state that was read. Changes of several subscriptions in bulk are one statement. The only statement
 * that changes a subscription. It ends the lease of the step that was due.
 */
export function moveSubscriptionRow(
  tx: Tx,
  scope: MerchantScope,
  change: SubscriptionRowChange,
): Promise<boolean> {
  return writeChanges(tx, scope, change);
}

const TYPES = { ...BILLING_TYPES, id: 'uuid', from_status: 'text', from_paid_cycles: 'integer' } as const;

const writeChanges = bulk(async (tx: Tx, scope, changes: readonly SubscriptionRowChange[]) => {
  const rows = rowList(
    'n',
    TYPES,
    changes.map(({ before, after }) => ({
      ...billingParams(after),
      id: before.id,
      from_status: before.billing.status,
      from_paid_cycles: before.billing.paidCycles,
    })),
    { isPlannedForOne: true },
  );
  const moved = await tx.rows<{ id: string }>(
    scope,
    `update subscriptions s
        set leased_until = null, means_unread_since = null, ${BILLING_COLUMNS.map((column) => `${column} = n.${column}`).join(', ')}
       from ${rows.sql}
      where {scope:s} and s.id = n.id and s.status = n.from_status and s.paid_cycles = n.from_paid_cycles
      returning s.id`,
    rows.params,
  );
  const ids = changes.map(({ before }) => before.id);
  return eachOnce(
    ids,
    moved.map(({ id }) => id),
  );
});

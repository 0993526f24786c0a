import type { MerchantScope } from '../../domain/scope.ts';
import type { Faults } from '../../domain/webhooks/faults.ts';
import type { Tx } from '../engine/database.ts';

/** Replaces the faults of a locked endpoint; null: it has none. */
export async function setFaults(
  tx: Tx,
  scope: MerchantScope,
  { id, faults, at }: { readonly id: string; readonly faults: Faults | null; readonly at: Date },
): Promise<void> {
  await tx.execute(
    scope,
    'update webhook_endpoints set faults = cast(:faults as jsonb), updated_at = :at where {scope} and id = :id',
    { id, faults: faults && JSON.stringify(faults), at },
  );
}

/** Removes the faults of all endpoints of the merchant, and the time since when they fail. */
export async function clearFailures(tx: Tx, scope: MerchantScope, at: Date): Promise<void> {
  await tx.execute(
    scope,
    `update webhook_endpoints set faults = null, failing_since = null, idle_since = null, updated_at = :at
      where {scope} and (faults is not null or failing_since is not null)`,
    { at },
  );
}

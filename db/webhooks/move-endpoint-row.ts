import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { EndpointStatus } from '../../domain/webhooks/endpoint.ts';
import type { Queryable } from '../engine/database.ts';

/** A move of an endpoint. It also forgets since when the endpoint fails. */
export interface EndpointRowMove extends RowMove<EndpointStatus> {
  readonly id: string;
  readonly disabledReason: string | null;
  /** Undefined: any time, or none. */
  readonly failingSince?: Date | undefined;
  readonly at: Date;
}

/**
 * Returns false, with nothing written, if the endpoint was deleted, is in another state or has failed since another
 * time.
 */
export async function moveEndpointRow(
  q: Queryable,
  scope: MerchantScope,
  { id, from, to, disabledReason, failingSince, at }: EndpointRowMove,
): Promise<boolean> {
  const touched = await q.execute(
    scope,
    `update webhook_endpoints
        set status = :to, disabled_reason = :disabled_reason, failing_since = null, idle_since = null,
            updated_at = :at
      where {scope} and id = :id and status = any(:from)
        and (cast(:failing_since as timestamptz) is null or failing_since = :failing_since)`,
    { id, from, to, disabled_reason: disabledReason, failing_since: failingSince ?? null, at },
  );
  return touched === 1;
}

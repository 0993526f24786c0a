import type { Counts } from '../../../services/counts.ts';
import type { UpstreamCalls } from '../../../services/upstream-calls.ts';

/**
 * How many requests of a tenant, or of all, do not wait for an upstream call. Requests continue as soon as their
 * upstream calls end, so a part (or a tenant, if all are counted) can exceed `maxOfPart`. Its requests above this limit
 * are not counted: otherwise they would take the places of other parts.
 */
export function activeRequests(
  counts: Counts,
  upstreamCalls: UpstreamCalls,
  maxOfPart: number,
  tenant?: string,
): number {
  // At least 0, because a merchant's upstream calls include those of background jobs.
  const activeOf = (name: string) => Math.max(0, counts.of(name) - upstreamCalls.inFlight(name));
  const parts = counts.partsOf(tenant);
  if (tenant !== undefined && parts.size === 0) return activeOf(tenant);
  let active = 0;
  for (const part of parts) active += Math.min(activeOf(part), maxOfPart);
  return active;
}

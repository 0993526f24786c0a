import type { Database } from '../../db/engine/database.ts';
import { reserveRequests } from '../../db/merchants/rate-windows.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import type { MerchantScope } from '../../domain/scope.ts';

/**
 * A process reserves the limit of a key in this many parts. More parts mean more writes, and a more exact `remaining`.
 */
const RESERVATIONS_PER_MINUTE = 20;
/**
 * The maximum of keys and addresses in memory. The one that was not used for the longest time is dropped first, with
 * the requests that it has reserved: requests from many addresses must not use up the limit of a busy key.
 */
const MAX_KEYS = 10_000;

export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the minute ends. */
  readonly reset_s: number;
}

interface Window {
  readonly minute_ms: number;
  readonly limit: number;
  /** Requests that all processes have reserved, as of the last reservation of this process. */
  used: number;
  /** Requests that this process has reserved and not used. */
  left: number;
  reserving: Promise<void> | undefined;
}

export interface RateLimiter {
  /** Counts one request of a key against the limit of its minute (wall time). */
  take(scope: MerchantScope, keyId: string, limit: number): Promise<RateDecision>;
}

/** Counts requests per key and minute over all processes. */
export function rateLimiter(
  db: Database,
  wall: () => Date,
  { maxKeys = MAX_KEYS }: { readonly maxKeys?: number } = {},
): RateLimiter {
  const windows = new Map<string, Window>();

  function windowOf(keyId: string, limit: number, now_ms: number): Window {
    const minute_ms = now_ms - (now_ms % MINUTE_MS);
    const known = windows.get(keyId);
    windows.delete(keyId);
    if (known !== undefined && known.minute_ms === minute_ms && known.limit === limit) {
      windows.set(keyId, known);
      return known;
    }
    if (windows.size >= maxKeys) windows.delete(windows.keys().next().value!);
    const fresh: Window = { minute_ms, limit, used: 0, left: 0, reserving: undefined };
    windows.set(keyId, fresh);
    return fresh;
  }

  async function reserve(scope: MerchantScope, keyId: string, window: Window): Promise<void> {
    const requests = Math.max(1, Math.floor(window.limit / RESERVATIONS_PER_MINUTE));
    const minute = new Date(window.minute_ms);
    window.used = await reserveRequests(db, scope, { keyId, minute, requests });
    window.left += Math.max(0, Math.min(requests, window.limit - (window.used - requests)));
  }

  return {
    async take(scope, keyId, limit) {
      const now_ms = wall().getTime();
      const window = windowOf(keyId, limit, now_ms);
      // Several requests can wait for one reservation. If the others use it up first, the next one is awaited.
      while (window.left === 0 && window.used < limit) {
        window.reserving ??= reserve(scope, keyId, window).finally(() => {
          window.reserving = undefined;
        });
        await window.reserving;
      }
      const allowed = window.left > 0;
      if (allowed) window.left -= 1;
      const remaining = Math.max(0, limit - window.used) + window.left;
      return {
        allowed,
        limit,
        remaining,
        reset_s: Math.ceil((window.minute_ms + MINUTE_MS - now_ms) / 1000),
      };
    },
  };
}

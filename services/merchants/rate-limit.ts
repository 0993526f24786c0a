import type { Database } from '../../db/engine/database.ts';
import { takeRateLot } from '../../db/merchants/rate-windows.ts';
import type { MerchantScope } from '../../domain/scope.ts';

const MINUTE_MS = 60_000;
/** A process reserves this part of a key's limit at once: fewer writes, and a coarser `remaining`. */
const LOTS_PER_MINUTE = 20;
/** Keys held in memory per process; the oldest is dropped first. */
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
  /** Reserved by all processes together when this one took its last lot. */
  used: number;
  /** What is left of the lots of this process. */
  left: number;
  taking: Promise<void> | undefined;
}

export interface RateLimiter {
  /** Counts one request of a key against the limit of its minute (wall time). */
  take(scope: MerchantScope, keyId: string, limit: number): Promise<RateDecision>;
}

/** Counts requests per key and minute over all processes. */
export function rateLimiter(db: Database, wall: () => Date): RateLimiter {
  const windows = new Map<string, Window>();

  function windowOf(keyId: string, limit: number, now_ms: number): Window {
    const minute_ms = now_ms - (now_ms % MINUTE_MS);
    const known = windows.get(keyId);
    if (known !== undefined && known.minute_ms === minute_ms && known.limit === limit) return known;
    windows.delete(keyId);
    if (windows.size >= MAX_KEYS) windows.delete(windows.keys().next().value!);
    const fresh: Window = { minute_ms, limit, used: 0, left: 0, taking: undefined };
    windows.set(keyId, fresh);
    return fresh;
  }

  async function takeLot(scope: MerchantScope, keyId: string, window: Window): Promise<void> {
    const lot = Math.max(1, Math.floor(window.limit / LOTS_PER_MINUTE));
    const minute = new Date(window.minute_ms);
    window.used = await takeRateLot(db, scope, { keyId, minute, lot });
    window.left += Math.max(0, Math.min(lot, window.limit - (window.used - lot)));
  }

  return {
    async take(scope, keyId, limit) {
      const now_ms = wall().getTime();
      const window = windowOf(keyId, limit, now_ms);
      // Requests that find nothing left wait for the same lot. Another may use it up before they go on.
      while (window.left === 0 && window.used < limit) {
        window.taking ??= takeLot(scope, keyId, window).finally(() => {
          window.taking = undefined;
        });
        await window.taking;
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

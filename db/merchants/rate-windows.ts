import type { MerchantScope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';

/**
 * Adds to the number of requests that are reserved for a key in a minute. Resolves to the new number. This is one
 * statement, so that reservations of several processes add up correctly. It does not use the merchant's quota of
 * connections: otherwise statements that wait for a lock would delay the rate limit of the merchant's other requests.
 */
export async function reserveRequests(
  db: Database,
  scope: MerchantScope,
  window: { keyId: string; minute: Date; requests: number },
): Promise<number> {
  const [row] = await db.slotRows<{ used: number }>(
    scope.slot,
    `insert into rate_windows (slot, merchant_id, key_id, minute, used)
     values (:slot, :merchant_id, :key_id, :minute, :requests)
     on conflict (slot, merchant_id, key_id, minute) do update set used = rate_windows.used + excluded.used
     returning used`,
    { merchant_id: scope.merchantId, key_id: window.keyId, minute: window.minute, requests: window.requests },
  );
  return row!.used;
}

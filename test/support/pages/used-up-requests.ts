import { MINUTE_MS } from '../../../domain/durations.ts';
import { SANDBOX_REQUESTS_PER_MINUTE } from '../../../domain/merchants/plans.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import type { TestService } from '../service.ts';

/**
 * Uses up the requests of this minute and the next one, for every key and address that has asked for something of the
 * merchant.
 */
export async function useUpRequests({ deps, rows }: TestService, merchantId: string): Promise<void> {
  // Under a limit that is new to it, the service forgets the requests that it has reserved in this minute.
  const rateLimitPerMinute = SANDBOX_REQUESTS_PER_MINUTE + 1;
  await changeMerchant(deps, merchantId, { rateLimitPerMinute });
  const now_ms = deps.wall().getTime();
  const minute_ms = now_ms - (now_ms % MINUTE_MS);
  for (const minute of [minute_ms, minute_ms + MINUTE_MS]) {
    await rows(
      `insert into rate_windows (slot, merchant_id, key_id, minute, used)
       select distinct slot, merchant_id, key_id, cast(:minute as timestamptz), cast(:used as integer)
         from rate_windows where merchant_id = :id
       on conflict (slot, merchant_id, key_id, minute) do update set used = excluded.used`,
      { id: merchantId, minute: new Date(minute), used: rateLimitPerMinute },
    );
  }
}

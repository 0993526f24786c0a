import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { uuidV7 } from '../../../domain/identifiers.ts';
import type { WebhookSetup } from './setup.ts';

const POLL_MS = 20;

/**
 * Adds copies of the merchant's newest event, as if so many payments had changed just now. Returns when they were
 * committed.
 */
export async function addEvents(
  { pool, bench }: WebhookSetup,
  merchant: number,
  count: number,
): Promise<number> {
  // Ids in the order of time, as the service makes them. Random ones would spread over the whole of each index.
  const ids = Array.from({ length: count }, () => uuidV7(Date.now(), randomBytes));
  await pool.query(
    `with written as (
       insert into events (slot, merchant_id, id, event, object_type, object_id, payment_id, data, created_at)
       select slot, merchant_id, new.id, event, object_type, object_id, payment_id, data, now()
         from (select * from events where merchant_id = $1 order by created_at desc limit 1) e, unnest($2::uuid[]) new (id)
       returning slot, merchant_id, id)
     insert into event_outbox (slot, merchant_id, event_id) select slot, merchant_id, id from written`,
    [bench.merchants[merchant]!.merchantId, ids],
  );
  return Date.now();
}

/** Resolves when no event waits for its deliveries, and no delivery is pending. */
export async function untilDelivered({ pool }: WebhookSetup): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      'select exists (select from event_outbox) or exists (select from webhook_queues) as any',
    );
    if (!rows[0].any) return;
    await pause(POLL_MS);
  }
}

import type { DeliveryQueue } from '../../domain/webhooks/delivery.ts';
import type { Database } from '../engine/database.ts';

/** Queues of a slot that have deliveries to send and no row. */
export async function findLostQueues(db: Database, slot: number): Promise<DeliveryQueue[]> {
  const rows = await db.slotRows<{ merchant_id: string; queue_id: string }>(slot, LOST);
  return rows.map(({ merchant_id, queue_id }) => ({ slot, merchantId: merchant_id, queueId: queue_id }));
}

/** Goes through the index of a table from each queue to the next one, and passes the other rows of the queue. */
function queuesIn(name: string, rows: string): string {
  const next = (condition: string) => `
    select d.merchant_id, d.queue_id from ${rows} ${condition} order by d.merchant_id, d.queue_id limit 1`;
  return `${name} as (
    (${next('')})
    union all
    select following.* from ${name},
      lateral (${next(`and (d.merchant_id, d.queue_id) > (${name}.merchant_id, ${name}.queue_id)`)}) following)`;
}

const LOST = `
  with recursive ${queuesIn('pending', "webhook_deliveries d where {slot:d} and d.status = 'pending'")},
  ${queuesIn('unsent', 'unsent_webhook_deliveries d where {slot:d}')}
  select merchant_id, queue_id from (select * from pending union select * from unsent) found
   where not exists (
     select from webhook_queues w where {slot:w} and w.merchant_id = found.merchant_id and w.id = found.queue_id)`;

import type { MerchantScope } from '../domain/scope.ts';
import type { Queryable, Tx } from './database.ts';

/** Remembers a notification that is being applied; false when it was applied before. */
export async function insertNotification(
  tx: Tx,
  scope: MerchantScope,
  notification: { id: string; type: string; reference: string; receivedAt: Date },
): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    `insert into acquirer_notifications (slot, merchant_id, id, type, reference, received_at)
     values (:slot, :merchant_id, :id, :type, :reference, :received_at)
     on conflict (slot, merchant_id, id) do nothing`,
    {
      id: notification.id,
      type: notification.type,
      reference: notification.reference,
      received_at: notification.receivedAt,
    },
  );
  return touched === 1;
}

/** Whether a notification of one of `types` about the payment was applied since (wall time). */
export async function wasNotified(
  q: Queryable,
  scope: MerchantScope,
  about: { paymentId: string; types: readonly string[]; since: Date },
): Promise<boolean> {
  const { told } = await q.one<{ told: boolean }>(
    scope,
    `select exists (
       select 1 from acquirer_notifications n
        where {scope:n} and n.type = any(:types) and n.received_at >= :since and n.reference in (
          select o.reference from payment_operations o where {scope:o} and o.payment_id = :payment_id)) as told`,
    { payment_id: about.paymentId, types: about.types, since: about.since },
  );
  return told;
}

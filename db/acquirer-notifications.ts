import type { MerchantScope } from '../domain/scope.ts';
import type { Tx } from './database.ts';

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

import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable, Tx } from '../engine/database.ts';

/**
 * Records that a notification was received. Resolves to
 * - `known` if it was processed before,
 * - `reused` if its id belongs to another notification,
 * - otherwise the time since which it waits for an earlier report (wall time), or null if it is new.
 */
export async function receiveNotification(
  tx: Tx,
  scope: MerchantScope,
  notification: { id: string; type: string; reference: string; receivedAt: Date },
): Promise<'known' | 'reused' | { readonly waitingSince: Date | null }> {
  const { id, type, reference, receivedAt } = notification;
  const touched = await tx.execute(
    scope,
    `insert into acquirer_notifications (slot, merchant_id, id, type, reference, received_at)
     values (:slot, :merchant_id, :id, :type, :reference, :received_at)
     on conflict (slot, merchant_id, id) do nothing`,
    { id, type, reference, received_at: receivedAt },
  );
  if (touched === 1) return { waitingSince: null };
  const earlier = await tx.one<{ type: string; reference: string; waiting_since: Date | null }>(
    scope,
    'select type, reference, waiting_since from acquirer_notifications where {scope} and id = :id',
    { id },
  );
  if (earlier.type !== type || earlier.reference !== reference) return 'reused';
  return earlier.waiting_since === null ? 'known' : { waitingSince: earlier.waiting_since };
}

/** Marks a notification as waiting until the acquirer sends it again. */
export async function markWaiting(
  tx: Tx,
  scope: MerchantScope,
  { id, since }: { id: string; since: Date },
): Promise<void> {
  const sql = 'update acquirer_notifications set waiting_since = :since where {scope} and id = :id';
  await tx.execute(scope, sql, { id, since });
}

/** Marks a notification that was waiting as processed. */
export async function markProcessed(
  tx: Tx,
  scope: MerchantScope,
  { id, receivedAt }: { id: string; receivedAt: Date },
): Promise<void> {
  await tx.execute(
    scope,
    `update acquirer_notifications set waiting_since = null, received_at = :received_at
      where {scope} and id = :id`,
    { id, received_at: receivedAt },
  );
}

/** Whether a notification of one of `types` about the payment was processed since (wall time). */
export async function wasNotified(
  q: Queryable,
  scope: MerchantScope,
  about: { paymentId: string; types: readonly string[]; since: Date },
): Promise<boolean> {
  const { exists } = await q.one<{ exists: boolean }>(
    scope,
    `select exists (
       select 1 from acquirer_notifications n
        where {scope:n} and n.type = any(:types) and n.received_at >= :since and n.waiting_since is null
          and n.reference in (
          select o.reference from payment_operations o where {scope:o} and o.payment_id = :payment_id))`,
    { payment_id: about.paymentId, types: about.types, since: about.since },
  );
  return exists;
}

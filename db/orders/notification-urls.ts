import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';

/** The notification URLs of the orders of these payments, by payment. Orders without one are left out. */
export async function findNotificationUrls(
  q: Queryable,
  scope: MerchantScope,
  paymentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await q.rows<{ id: string; notification_url: string }>(
    scope,
    `select p.id, o.notification_url from payments p join orders o on {scope:o} and o.id = p.order_id
      where {scope:p} and p.id = any(:ids) and o.notification_url is not null`,
    { ids: paymentIds },
  );
  return new Map(rows.map((row) => [row.id, row.notification_url]));
}

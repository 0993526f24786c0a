import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';

/** The notification URLs of the payment links of these payments, by payment. Links without one are left out. */
export async function findLinkNotificationUrls(
  q: Queryable,
  scope: MerchantScope,
  paymentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await q.rows<{ id: string; notification_url: string }>(
    scope,
    `select p.id, l.notification_url from payments p join payment_links l on {scope:l} and l.id = p.payment_link_id
      where {scope:p} and p.id = any(:ids) and l.notification_url is not null`,
    { ids: paymentIds },
  );
  return new Map(rows.map((row) => [row.id, row.notification_url]));
}

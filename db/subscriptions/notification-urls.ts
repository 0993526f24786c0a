import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';

/** The notification URLs of subscriptions, by subscription. Those without one are left out. */
export async function findNotificationUrls(
  q: Queryable,
  scope: MerchantScope,
  subscriptionIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await q.rows<{ id: string; notification_url: string }>(
    scope,
    `select id, notification_url from subscriptions
      where {scope} and id = any(:ids) and notification_url is not null`,
    { ids: subscriptionIds },
  );
  return new Map(rows.map((row) => [row.id, row.notification_url]));
}

/** The notification URLs of the subscriptions of these payments, by payment. */
export async function findNotificationUrlsOfPayments(
  q: Queryable,
  scope: MerchantScope,
  paymentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await q.rows<{ id: string; notification_url: string }>(
    scope,
    `select p.id, s.notification_url from payments p join subscriptions s on {scope:s} and s.id = p.subscription_id
      where {scope:p} and p.id = any(:ids) and s.notification_url is not null`,
    { ids: paymentIds },
  );
  return new Map(rows.map((row) => [row.id, row.notification_url]));
}

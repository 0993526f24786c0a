import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';
import { rowsById } from '../engine/rows-by-id.ts';

/** The notification URLs of subscriptions, by subscription. Those without one are left out. */
export async function findNotificationUrls(
  q: Queryable,
  scope: MerchantScope,
  subscriptionIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await q.rows<{ id: string; notification_url: string }>(
    scope,
    rowsById('select id, notification_url from subscriptions where {scope} and notification_url is not null'),
    { ids: subscriptionIds },
  );
  return new Map(rows.map((row) => [row.id, row.notification_url]));
}

/** The notification URLs of the payment links at which these subscriptions were started, by subscription. */
export async function findNotificationUrlsOfLinks(
  q: Queryable,
  scope: MerchantScope,
  subscriptionIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await q.rows<{ id: string; notification_url: string }>(
    scope,
    rowsById(
      `select s.id, l.notification_url
         from subscriptions s join payment_links l on {scope:l} and l.id = s.payment_link_id
        where {scope:s} and l.notification_url is not null`,
      { key: 's.id' },
    ),
    { ids: subscriptionIds },
  );
  return new Map(rows.map((row) => [row.id, row.notification_url]));
}

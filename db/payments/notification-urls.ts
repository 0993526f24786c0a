import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';
import { rowsById } from '../engine/rows-by-id.ts';

/** The tables with notification URLs, and the column of `payments` that names a row of each. */
const COLUMNS = {
  orders: 'order_id',
  payment_links: 'payment_link_id',
  subscriptions: 'subscription_id',
} as const;

/** Returns a search for the notification URLs that rows of a table give to their payments, by payment. */
export function notificationUrlsFrom(table: keyof typeof COLUMNS) {
  return async (
    q: Queryable,
    scope: MerchantScope,
    paymentIds: readonly string[],
  ): Promise<Map<string, string>> => {
    const rows = await q.rows<{ id: string; notification_url: string }>(
      scope,
      rowsById(
        `select p.id, o.notification_url from payments p join ${table} o on {scope:o} and o.id = p.${COLUMNS[table]}
          where {scope:p} and o.notification_url is not null`,
        { key: 'p.id' },
      ),
      { ids: paymentIds },
    );
    return new Map(rows.map((row) => [row.id, row.notification_url]));
  };
}

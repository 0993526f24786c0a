import { DEFAULT_LANGUAGE } from '../../domain/language.ts';
import type { Order, OrderBuyer, OrderItem } from '../../domain/orders/order.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';

/** A row of table orders as `ORDER_COLUMNS` reads it. */
export interface OrderRow {
  id: string;
  code: string;
  customer_id: string;
  mcc: string;
  amount_centavos: number;
  description: string | null;
  notification_url: string | null;
  items: OrderItem[];
  metadata: Record<string, string>;
  buyer: OrderBuyer | null;
  created_at: Date;
}

/** The columns that `toOrder` needs. */
export const ORDER_COLUMNS =
  'id, code, customer_id, mcc, amount_centavos, description, notification_url, items, metadata, buyer, created_at';

/** Whether the merchant has an order with this code. */
export async function isOrderCodeUsed(q: Queryable, scope: MerchantScope, code: string): Promise<boolean> {
  const rows = await q.rows(scope, 'select 1 from orders where {scope} and code = :code', { code });
  return rows.length > 0;
}

/** An order by its id. */
export async function findOrder(q: Queryable, scope: MerchantScope, id: string): Promise<Order | undefined> {
  const row = await q.maybeOne<OrderRow>(
    scope,
    `select ${ORDER_COLUMNS} from orders where {scope} and id = :id`,
    {
      id,
    },
  );
  return row === undefined ? undefined : toOrder(row);
}

/** A row of `ORDER_COLUMNS` as an order. */
export function toOrder(row: OrderRow): Order {
  return {
    id: row.id,
    code: row.code,
    customerId: row.customer_id,
    mcc: row.mcc,
    amount_centavos: row.amount_centavos,
    description: row.description,
    notificationUrl: row.notification_url,
    items: row.items,
    metadata: row.metadata,
    // Buyers from before this field read Portuguese.
    buyer: row.buyer && { ...row.buyer, language: row.buyer.language ?? DEFAULT_LANGUAGE },
    createdAt: row.created_at,
  };
}

import type { OrderBuyer } from '../../domain/orders/order.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { CLOSED_STATUSES } from '../../domain/subscriptions/subscription-status.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';
import { textList } from '../engine/text-list.ts';
import { SUBSCRIPTION_COLUMNS, type SubscriptionRow, toSubscription } from './subscription-row.ts';

/** The subscription with a code that a buyer started at a checkout page, and its merchant. Reads one slot. */
export async function findSubscriptionOfBuyer(
  db: Database,
  slot: number,
  code: string,
): Promise<{ readonly scope: MerchantScope; readonly subscription: Subscription } | undefined> {
  const [row] = await db.lookUp.slotRows<SubscriptionRow & { slot: number; merchant_id: string }>(
    slot,
    `select slot, merchant_id, ${SUBSCRIPTION_COLUMNS} from subscriptions
      where {slot} and code = :code and buyer is not null`,
    { code },
  );
  if (row === undefined) return undefined;
  return { scope: { slot: row.slot, merchantId: row.merchant_id }, subscription: toSubscription(row) };
}

/** What was bought at a page, by whom and with which card. */
export interface Purchase {
  readonly customerId: string;
  readonly paymentLinkId: string | null;
  readonly offerId: string | null;
  /** The fingerprint of the complete number of the card. */
  readonly fingerprint: Buffer;
}

/**
 * Whether the customer has started this subscription at the same page with the same card, and it is not canceled and
 * has not ended. A subscription whose plan was changed counts for the page where it was started, and for that of the
 * offer that it has now. Locks the customer, so that of two simultaneous requests the second one sees the first.
 */
export async function hasSameSubscription(
  tx: Tx,
  scope: MerchantScope,
  { customerId, paymentLinkId, offerId, fingerprint }: Purchase,
): Promise<boolean> {
  await tx.rows(scope, 'select 1 from customers where {scope} and id = :id for no key update', {
    id: customerId,
  });
  const rows = await tx.rows(
    scope,
    `select 1 from subscriptions s
       join cards c on {scope:c} and c.customer_id = s.customer_id and c.id = s.card_id
      where {scope:s} and s.customer_id = :customer_id and s.buyer is not null
        and s.status not in (${textList(CLOSED_STATUSES)})
        and s.payment_link_id is not distinct from :payment_link_id
        and (s.payment_link_id is not null or :offer_id in (s.page_offer_id, s.offer_id))
        and c.fingerprint = :fingerprint
      limit 1`,
    { customer_id: customerId, payment_link_id: paymentLinkId, offer_id: offerId, fingerprint },
  );
  return rows.length > 0;
}

/** What the buyer of a subscription typed; null if the merchant created it. */
export async function findBuyer(
  q: Queryable,
  scope: MerchantScope,
  subscriptionId: string,
): Promise<OrderBuyer | null> {
  const row = await q.maybeOne<{ buyer: OrderBuyer | null }>(
    scope,
    'select buyer from subscriptions where {scope} and id = :id',
    { id: subscriptionId },
  );
  return row?.buyer ?? null;
}

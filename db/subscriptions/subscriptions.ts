import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { CLOSED_STATUSES, type SubscriptionStatus } from '../../domain/subscriptions/subscription-status.ts';
import { bulk } from '../engine/bulk.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';
import { rowsById } from '../engine/rows-by-id.ts';
import { textList } from '../engine/text-list.ts';
import {
  BILLING_COLUMNS,
  billingParams,
  CONSTANT_COLUMNS,
  constantParams,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
  toSubscription,
} from './subscription-row.ts';

const INSERTED = [...CONSTANT_COLUMNS, ...BILLING_COLUMNS];
const SELECT_BY_ID = `select ${SUBSCRIPTION_COLUMNS} from subscriptions where {scope} and id = :id`;

/** Writes a new subscription. False if the merchant has used its code before. */
export async function insertSubscription(
  tx: Tx,
  scope: MerchantScope,
  subscription: Subscription,
): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    `insert into subscriptions (slot, merchant_id, ${INSERTED.join(', ')})
     values (:slot, :merchant_id, ${INSERTED.map((column) => `:${column}`).join(', ')})
     on conflict (slot, merchant_id, code) do nothing`,
    { ...constantParams(subscription), ...billingParams(subscription) },
  );
  return touched === 1;
}

/** Whether the merchant has a subscription with this code. */
export async function isSubscriptionCodeUsed(
  q: Queryable,
  scope: MerchantScope,
  code: string,
): Promise<boolean> {
  const rows = await q.rows(scope, 'select 1 from subscriptions where {scope} and code = :code', { code });
  return rows.length > 0;
}

/** Whether a card is charged by a subscription that is not canceled and has not ended. */
export async function isCardCharged(q: Queryable, scope: MerchantScope, cardId: string): Promise<boolean> {
  const rows = await q.rows(
    scope,
    `select 1 from subscriptions
      where {scope} and card_id = :card_id and status not in (${textList(CLOSED_STATUSES)}) limit 1`,
    { card_id: cardId },
  );
  return rows.length > 0;
}

/** Whether the merchant has a subscription that is not canceled and has not ended. */
export async function hasLiveSubscription(q: Queryable, scope: MerchantScope): Promise<boolean> {
  const rows = await q.rows(
    scope,
    `select 1 from subscriptions where {scope} and status not in (${textList(CLOSED_STATUSES)}) limit 1`,
  );
  return rows.length > 0;
}

/**
 * The subscription, locked until the transaction ends. In bulk, do not lock the same subscription twice: two changes
 * would be planned from the same row.
 */
export function lockSubscription(
  tx: Tx,
  scope: MerchantScope,
  id: string,
): Promise<Subscription | undefined> {
  return lockRows(tx, scope, id);
}

const lockRows = bulk(async (tx: Tx, scope, ids: readonly string[]) => {
  if (new Set(ids).size < ids.length) throw new Error('A subscription is locked twice at the same time.');
  const isOne = ids.length === 1;
  const rows = await tx.rows<SubscriptionRow>(
    scope,
    isOne
      ? `${SELECT_BY_ID} for no key update`
      : rowsById(`select ${SUBSCRIPTION_COLUMNS} from subscriptions where {scope}`, {
          lock: 'for no key update',
        }),
    isOne ? { id: ids[0] } : { ids },
  );
  const locked = new Map(rows.map((row) => [row.id, toSubscription(row)]));
  return ids.map((id) => locked.get(id));
});

/** A subscription by its id, in either case. */
export async function findSubscriptionById(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<Subscription | undefined> {
  if (!isCanonicalUuid(id)) return undefined;
  const row = await q.maybeOne<SubscriptionRow>(scope, SELECT_BY_ID, { id: normalizeUuid(id) });
  return row && toSubscription(row);
}

/** A subscription by its code. */
export async function findSubscriptionByCode(
  q: Queryable,
  scope: MerchantScope,
  code: string,
): Promise<Subscription | undefined> {
  const row = await q.maybeOne<SubscriptionRow>(
    scope,
    `select ${SUBSCRIPTION_COLUMNS} from subscriptions where {scope} and code = :code`,
    { code },
  );
  return row && toSubscription(row);
}

export interface SubscriptionFilter {
  readonly status?: SubscriptionStatus | undefined;
  readonly customerId?: string | undefined;
  readonly offerId?: string | undefined;
  readonly code?: string | undefined;
}

const SUBSCRIPTIONS = defineList<SubscriptionRow, SubscriptionFilter>({
  columns: SUBSCRIPTION_COLUMNS,
  from: 'subscriptions',
  filters: {
    status: equals('status'),
    customerId: equals('customer_id'),
    offerId: equals('offer_id'),
    code: equals('code'),
  },
});

/** Subscriptions of the merchant, newest first. */
export async function listSubscriptions(
  q: Queryable,
  scope: MerchantScope,
  filter: SubscriptionFilter,
  page: PageRequest,
): Promise<Page<Subscription>> {
  return mapPage(await fetchPage(q, scope, SUBSCRIPTIONS, filter, page), toSubscription);
}

import type { PaymentLink, PaymentLinkState } from '../../domain/links/payment-link.ts';
import type { PaymentLinkStatus } from '../../domain/links/payment-link-status.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';
import { defineList } from '../engine/list.ts';
import { fetchUnionPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';
import {
  COLUMNS,
  type PaymentLinkRow,
  SETTINGS,
  settingsColumns,
  toPaymentLink,
} from './payment-link-row.ts';

const SELECT_BY_ID = `select ${COLUMNS} from payment_links where {scope} and id = :id`;
const parameters = SETTINGS.map((name) => `:${name}`).join(', ');
const assignments = SETTINGS.map((name) => `${name} = :${name}`).join(', ');
const INSERT = `insert into payment_links
    (slot, merchant_id, id, hash, state, ${SETTINGS.join(', ')}, created_at, updated_at)
  values (:slot, :merchant_id, :id, :hash, :state, ${parameters}, :created_at, :updated_at)
  on conflict do nothing
  returning ${COLUMNS}`;

/** A payment link by its id. */
export async function findPaymentLink(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<PaymentLink | undefined> {
  const row = await q.maybeOne<PaymentLinkRow>(scope, SELECT_BY_ID, { id });
  return row && toPaymentLink(row);
}

/** The same, locked until the transaction ends. */
export async function lockPaymentLink(
  tx: Tx,
  scope: MerchantScope,
  id: string,
): Promise<PaymentLink | undefined> {
  const row = await tx.maybeOne<PaymentLinkRow>(scope, `${SELECT_BY_ID} for no key update`, { id });
  return row && toPaymentLink(row);
}

/** A payment link by its hash. */
export async function findPaymentLinkByHash(
  q: Queryable,
  scope: MerchantScope,
  hash: string,
): Promise<PaymentLink | undefined> {
  const row = await q.maybeOne<PaymentLinkRow>(
    scope,
    `select ${COLUMNS} from payment_links where {scope} and hash = :hash`,
    { hash },
  );
  return row && toPaymentLink(row);
}

/** The merchant of the payment link with this hash, for requests of buyers. */
export async function findMerchantOfLink(
  db: Database,
  slot: number,
  hash: string,
): Promise<{ readonly merchantId: string; readonly linkId: string } | undefined> {
  const [row] = await db.lookUp.slotRows<{ merchant_id: string; id: string }>(
    slot,
    'select merchant_id, id from payment_links where {slot} and hash = :hash',
    { hash },
  );
  return row && { merchantId: row.merchant_id, linkId: row.id };
}

/** Adds a payment link. Returns undefined when its id exists. */
export async function insertPaymentLink(
  tx: Tx,
  scope: MerchantScope,
  link: PaymentLink,
): Promise<PaymentLink | undefined> {
  const row = await tx.maybeOne<PaymentLinkRow>(scope, INSERT, {
    ...settingsColumns(link),
    id: link.id,
    hash: link.hash,
    state: link.state,
    created_at: link.createdAt,
    updated_at: link.updatedAt,
  });
  return row && toPaymentLink(row);
}

/**
 * Writes all settings of a payment link, but not its state. It loses the mark of expired links, because `expiresAt` may
 * be later now.
 */
export async function updatePaymentLink(
  tx: Tx,
  scope: MerchantScope,
  link: PaymentLink,
): Promise<PaymentLink> {
  const row = await tx.one<PaymentLinkRow>(
    scope,
    `update payment_links set ${assignments}, is_expired = false, updated_at = :updated_at
      where {scope} and id = :id
      returning ${COLUMNS}`,
    { ...settingsColumns(link), id: link.id, updated_at: link.updatedAt },
  );
  return toPaymentLink(row);
}

/**
 * Moves a payment link. Returns undefined if there is none with this id. A link that has the state already is not
 * changed.
 */
export async function movePaymentLinkRow(
  tx: Tx,
  scope: MerchantScope,
  { id, move, at }: { readonly id: string; readonly move: RowMove<PaymentLinkState>; readonly at: Date },
): Promise<PaymentLink | undefined> {
  const row = await tx.maybeOne<PaymentLinkRow>(
    scope,
    `update payment_links
        set state = :to, updated_at = case when state = :to then updated_at else :at end
      where {scope} and id = :id and state = any(:from)
      returning ${COLUMNS}`,
    { id, at, ...move },
  );
  return row && toPaymentLink(row);
}

/** The instant for which a status is asked. `paymentLinkStatus` has the same rules. */
interface StatusFilter {
  readonly disabled?: true;
  readonly expiredAt?: Date;
  readonly exhaustedAt?: Date;
  readonly activeAt?: Date;
}

const NOT_EXPIRED = "state = 'active' and not is_expired and coalesce(expires_at, 'infinity') > ?";

const LINKS = defineList<PaymentLinkRow, StatusFilter>({
  columns: COLUMNS,
  from: 'payment_links',
  filters: {
    // The state is in the statement, because the index of disabled links needs it.
    disabled: (query) => query.whereRaw("state = 'disabled'"),
    expiredAt: (query) => query.whereRaw("state = 'active' and is_expired"),
    exhaustedAt: (query, at) => query.whereRaw(`${NOT_EXPIRED} and is_exhausted`, [at]),
    activeAt: (query, at) => query.whereRaw(`${NOT_EXPIRED} and not is_exhausted`, [at]),
  },
});

/**
 * The links that have expired and are not marked yet, found first by the index on `expires_at`, because they are few.
 * Postgres expects many, unless `expires_at` has two bounds of which it does not know one. Without `offset 0`, it may
 * instead read the merchant's links from the newest on.
 */
const EXPIRED_UNMARKED = defineList<PaymentLinkRow, StatusFilter>({
  ...LINKS,
  from: `(select slot, merchant_id, ${COLUMNS} from payment_links
           where {scope} and state = 'active' and not is_expired
             and expires_at between '-infinity' and (select cast(:by_expired_at as timestamptz))
          offset 0) as payment_links`,
  filters: { ...LINKS.filters, expiredAt: () => {} },
});

function statusFilter(status: PaymentLinkStatus | undefined, at: Date): StatusFilter {
  if (status === undefined) return {};
  return status === 'disabled' ? { disabled: true } : { [`${status}At`]: at };
}

/** Payment links of the merchant, newest first; with `status`, those that have it at the instant `at`. */
export async function listPaymentLinks(
  q: Queryable,
  scope: MerchantScope,
  { status, at }: { readonly status: PaymentLinkStatus | undefined; readonly at: Date },
  page: PageRequest,
): Promise<Page<PaymentLink>> {
  const lists = status === 'expired' ? [LINKS, EXPIRED_UNMARKED] : [LINKS];
  return mapPage(await fetchUnionPage(q, scope, lists, statusFilter(status, at), page), toPaymentLink);
}

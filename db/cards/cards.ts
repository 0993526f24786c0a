import type { Card, NetworkTokenStatus } from '../../domain/cards/card.ts';
import type { CardBrand } from '../../domain/cards/card-number.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { bulk } from '../engine/bulk.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';
import { rowList } from '../engine/row-list.ts';

export interface CardRow {
  id: string;
  customer_id: string;
  holder: string;
  brand: CardBrand;
  first_6: string;
  last_4: string;
  exp_month: string;
  exp_year: string;
  network_token_status: NetworkTokenStatus;
  authorized_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const CARD_COLUMNS = `id, customer_id, holder, brand, first_6, last_4, exp_month, exp_year, network_token_status,
  authorized_at, created_at, updated_at`;

export interface NewCard {
  readonly id: string;
  readonly customerId: string;
  readonly holder: string;
  readonly brand: CardBrand;
  readonly first6: string;
  readonly last4: string;
  readonly expMonth: string;
  readonly expYear: string;
  readonly numberSealed: Buffer;
  readonly fingerprint: Buffer;
  /** The request for a network token that the background job will send, or null. `dueAt` is wall time. */
  readonly networkToken: { readonly reference: string; readonly dueAt: Date } | null;
  /** True: only the payment that comes with the card uses it, until an approval. */
  readonly awaitsApproval: boolean;
  readonly at: Date;
}

/** Adds a card. Returns undefined when its id exists. */
export async function insertCard(tx: Tx, scope: MerchantScope, card: NewCard): Promise<Card | undefined> {
  const row = await tx.maybeOne<CardRow>(
    scope,
    `insert into cards (slot, merchant_id, id, customer_id, holder, brand, first_6, last_4, exp_month, exp_year,
       number_sealed, fingerprint, network_token_status, network_token_reference, network_token_due_at,
       awaits_approval, created_at, updated_at)
     values (:slot, :merchant_id, :id, :customer_id, :holder, :brand, :first_6, :last_4, :exp_month, :exp_year,
       :number_sealed, :fingerprint, :network_token_status, :network_token_reference, :network_token_due_at,
       :awaits_approval, :at, :at)
     on conflict (slot, merchant_id, id) do nothing
     returning ${CARD_COLUMNS}`,
    {
      id: card.id,
      customer_id: card.customerId,
      holder: card.holder,
      brand: card.brand,
      first_6: card.first6,
      last_4: card.last4,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      number_sealed: card.numberSealed,
      fingerprint: card.fingerprint,
      network_token_status: card.networkToken === null ? 'none' : 'requested',
      network_token_reference: card.networkToken?.reference ?? null,
      network_token_due_at: card.networkToken?.dueAt ?? null,
      awaits_approval: card.awaitsApproval,
      at: card.at,
    },
  );
  return row && toCard(row);
}

/** Cards that a caller can see and use. */
export const USABLE = 'deleted_at is null and not awaits_approval';

/** A card that can be used: not deleted, and not one that waits for the approval of its first payment. */
export async function findCard(
  q: Queryable,
  scope: MerchantScope,
  cardId: string,
): Promise<Card | undefined> {
  const row = await q.maybeOne<CardRow>(
    scope,
    `select ${CARD_COLUMNS} from cards where {scope} and id = :id and ${USABLE}`,
    { id: cardId },
  );
  return row && toCard(row);
}

/** A card with its number and network token, sealed. */
export interface SealedNumber {
  readonly card: Card;
  readonly numberSealed: Buffer;
  readonly tokenSealed: Buffer | null;
}

export type SealedNumberRow = CardRow & { number_sealed: Buffer; network_token_sealed: Buffer | null };

export const SEALED_COLUMNS = `${CARD_COLUMNS}, number_sealed, network_token_sealed`;

/** A row of `SEALED_COLUMNS`. */
export function toSealedNumber(row: SealedNumberRow): SealedNumber {
  return { card: toCard(row), numberSealed: row.number_sealed, tokenSealed: row.network_token_sealed };
}

/**
 * At most `limit` cards of a customer that were stored with this number and can be used: first those that were charged,
 * then the newest.
 */
export async function findCardsByNumber(
  q: Queryable,
  scope: MerchantScope,
  {
    customerId,
    fingerprint,
    limit,
  }: { readonly customerId: string; readonly fingerprint: Buffer; readonly limit: number },
): Promise<SealedNumber[]> {
  const rows = await q.rows<SealedNumberRow>(
    scope,
    `select ${SEALED_COLUMNS} from cards
      where {scope} and fingerprint = :fingerprint and customer_id = :customer_id and ${USABLE}
      order by authorized_at desc nulls last, id desc limit :limit`,
    { fingerprint, customer_id: customerId, limit },
  );
  return rows.map(toSealedNumber);
}

/** Replaces the sealed number of a card, unless another request or a rotation of the vault has replaced it first. */
export async function replaceSealedNumber(
  tx: Tx,
  scope: MerchantScope,
  { cardId, from, to }: { readonly cardId: string; readonly from: Buffer; readonly to: Buffer },
): Promise<void> {
  await tx.execute(
    scope,
    'update cards set number_sealed = :to where {scope} and id = :id and number_sealed = :from',
    { id: cardId, from, to },
  );
}

/** The fields by which a tokenization finds the same card (contract row 4.7). The middle digits are not compared. */
export interface CardOutline {
  readonly customerId: string;
  readonly first6: string;
  readonly last4: string;
  readonly holder: string;
  readonly expMonth: string;
  readonly expYear: string;
  readonly brand: CardBrand;
}

/**
 * The newest card with these fields that was used in an authorized payment, with its fingerprint and what is sealed of
 * it.
 */
export async function findUsedCard(
  q: Queryable,
  scope: MerchantScope,
  outline: CardOutline,
): Promise<(SealedNumber & { readonly fingerprint: Buffer }) | undefined> {
  const row = await q.maybeOne<SealedNumberRow & { fingerprint: Buffer }>(
    scope,
    `select ${SEALED_COLUMNS}, fingerprint from cards
      where {scope} and customer_id = :customer_id and first_6 = :first_6 and last_4 = :last_4
        and holder = :holder and exp_month = :exp_month and exp_year = :exp_year and brand = :brand
        and authorized_at is not null and deleted_at is null
      order by created_at desc, id desc limit 1`,
    {
      customer_id: outline.customerId,
      first_6: outline.first6,
      last_4: outline.last4,
      holder: outline.holder,
      exp_month: outline.expMonth,
      exp_year: outline.expYear,
      brand: outline.brand,
    },
  );
  return row && { ...toSealedNumber(row), fingerprint: row.fingerprint };
}

const CARDS = defineList<CardRow, { readonly customerId: string }>({
  columns: CARD_COLUMNS,
  from: 'cards',
  where: USABLE,
  filters: { customerId: equals('customer_id') },
});

/** The cards of one customer, newest first, without deleted ones. */
export async function listCards(
  q: Queryable,
  scope: MerchantScope,
  customerId: string,
  page: PageRequest,
): Promise<Page<Card>> {
  return mapPage(await fetchPage(q, scope, CARDS, { customerId }, page), toCard);
}

/** Whether the card exists and can be used. It then cannot be deleted until the transaction ends. */
export async function lockUndeletedCard(tx: Tx, scope: MerchantScope, cardId: string): Promise<boolean> {
  const row = await tx.maybeOne(
    scope,
    `select id from cards where {scope} and id = :id and ${USABLE} for share`,
    { id: cardId },
  );
  return row !== undefined;
}

/**
 * Marks the first payment that was authorized with a card. Later ones change nothing. Returns the card if it is the
 * first one.
 */
export function markCardAuthorized(
  tx: Tx,
  scope: MerchantScope,
  cardId: string,
  at: Date,
): Promise<Card | undefined> {
  return markAuthorized(tx, scope, { cardId, at });
}

const markAuthorized = bulk(
  async (tx: Tx, scope, marked: readonly { readonly cardId: string; readonly at: Date }[]) => {
    // In the order of their ids, so that two of these updates lock cards in the same order.
    const ids = marked.map(({ cardId }) => cardId).sort();
    const wanted = rowList(
      'n',
      { id: 'uuid' },
      ids.map((id) => ({ id })),
      { isPlannedForOne: true },
    );
    const rows = await tx.rows<CardRow>(
      scope,
      `update cards c set authorized_at = :at, awaits_approval = false from ${wanted.sql}
        where {scope:c} and c.id = n.id and c.authorized_at is null
        returning ${CARD_COLUMNS.replace(/(\w+)/g, 'c.$1')}`,
      { ...wanted.params, at: marked[0]!.at },
    );
    const first = new Map(rows.map((row) => [row.id, toCard(row)]));
    return marked.map(({ cardId }) => {
      const card = first.get(cardId);
      first.delete(cardId);
      return card;
    });
  },
);

/** Erases the number of a card that waits for an approval. Returns whether there is such a card. */
export async function eraseAwaitingCard(
  tx: Tx,
  scope: MerchantScope,
  cardId: string,
  at: Date,
): Promise<boolean> {
  const erased = await tx.execute(
    scope,
    `update cards set number_sealed = null, fingerprint = null, awaits_approval = false, updated_at = :at, deleted_at = :at
      where {scope} and id = :id and awaits_approval`,
    { id: cardId, at },
  );
  return erased > 0;
}

/**
 * Erases the number of a card and marks its row as deleted. Returns false when there is no such card. The network token
 * must be erased first.
 */
export async function eraseCard(tx: Tx, scope: MerchantScope, cardId: string, at: Date): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    `update cards set number_sealed = null, fingerprint = null, updated_at = :at, deleted_at = :at
      where {scope} and id = :id and ${USABLE}`,
    { id: cardId, at },
  );
  return touched === 1;
}

/** A row of `CARD_COLUMNS` as a card. */
function toCard(row: CardRow): Card {
  return {
    id: row.id,
    customerId: row.customer_id,
    holder: row.holder,
    brand: row.brand,
    first6: row.first_6,
    last4: row.last_4,
    expMonth: row.exp_month,
    expYear: row.exp_year,
    networkTokenStatus: row.network_token_status,
    authorizedAt: row.authorized_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

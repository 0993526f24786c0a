import type { Offer, OfferInterval, OfferState, OfferType } from '../../domain/products/offer.ts';
import type { PriceBand } from '../../domain/products/price-ladder.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';

interface OfferRow {
  id: string;
  hash: string;
  product_id: string;
  type: OfferType;
  name: string;
  state: OfferState;
  amount_centavos: number;
  billing_interval: OfferInterval | null;
  trial_days: number;
  cycles: PriceBand[];
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `id, hash, product_id, type, name, state, amount_centavos, billing_interval, trial_days, cycles,
  created_at, updated_at`;
const SELECT_BY_ID = `select ${COLUMNS} from offers where {scope} and id = :id`;

/** An offer by its id. */
export async function findOffer(q: Queryable, scope: MerchantScope, id: string): Promise<Offer | undefined> {
  const row = await q.maybeOne<OfferRow>(scope, SELECT_BY_ID, { id });
  return row && toOffer(row);
}

/** The same, to change it: locked until the transaction ends. */
export async function lockOffer(tx: Tx, scope: MerchantScope, id: string): Promise<Offer | undefined> {
  const row = await tx.maybeOne<OfferRow>(scope, `${SELECT_BY_ID} for no key update`, { id });
  return row && toOffer(row);
}

/**
 * The same for a purchase. The offer does not change until the transaction ends; others can buy it at the same time.
 */
export async function lockOfferForSale(tx: Tx, scope: MerchantScope, id: string): Promise<Offer | undefined> {
  const row = await tx.maybeOne<OfferRow>(scope, `${SELECT_BY_ID} for share`, { id });
  return row && toOffer(row);
}

/** An offer by its hash. */
export async function findOfferByHash(
  q: Queryable,
  scope: MerchantScope,
  hash: string,
): Promise<Offer | undefined> {
  const row = await q.maybeOne<OfferRow>(
    scope,
    `select ${COLUMNS} from offers where {scope} and hash = :hash`,
    { hash },
  );
  return row && toOffer(row);
}

/** The merchant of the offer with this hash, for requests of buyers. */
export async function findMerchantOfOffer(
  db: Database,
  slot: number,
  hash: string,
): Promise<{ readonly merchantId: string; readonly offerId: string } | undefined> {
  const [row] = await db.lookUp.slotRows<{ merchant_id: string; id: string }>(
    slot,
    'select merchant_id, id from offers where {slot} and hash = :hash',
    { hash },
  );
  return row && { merchantId: row.merchant_id, offerId: row.id };
}

/** Adds an offer. Returns undefined when its id exists. */
export async function insertOffer(tx: Tx, scope: MerchantScope, offer: Offer): Promise<Offer | undefined> {
  const row = await tx.maybeOne<OfferRow>(
    scope,
    `insert into offers (slot, merchant_id, id, hash, product_id, type, name, state, amount_centavos, billing_interval,
                         trial_days, cycles, created_at, updated_at)
     values (:slot, :merchant_id, :id, :hash, :product_id, :type, :name, :state, :amount_centavos, :billing_interval,
             :trial_days, :cycles, :created_at, :updated_at)
     on conflict do nothing
     returning ${COLUMNS}`,
    {
      ...changeable(offer),
      hash: offer.hash,
      product_id: offer.productId,
      type: offer.type,
      state: offer.state,
      created_at: offer.createdAt,
    },
  );
  return row && toOffer(row);
}

/** Writes every field that can change, except the state. */
export async function updateOffer(tx: Tx, scope: MerchantScope, offer: Offer): Promise<Offer> {
  const row = await tx.one<OfferRow>(
    scope,
    `update offers
        set name = :name, amount_centavos = :amount_centavos, billing_interval = :billing_interval,
            trial_days = :trial_days, cycles = :cycles, updated_at = :updated_at
      where {scope} and id = :id
      returning ${COLUMNS}`,
    changeable(offer),
  );
  return toOffer(row);
}

/**
 * Moves an offer. Returns undefined if there is none with this id. An offer that has the state already is not changed.
 */
export async function moveOfferRow(
  tx: Tx,
  scope: MerchantScope,
  { id, move, at }: { readonly id: string; readonly move: RowMove<OfferState>; readonly at: Date },
): Promise<Offer | undefined> {
  const row = await tx.maybeOne<OfferRow>(
    scope,
    `update offers
        set state = :to, updated_at = case when state = :to then updated_at else :at end
      where {scope} and id = :id and state = any(:from)
      returning ${COLUMNS}`,
    { id, at, ...move },
  );
  return row && toOffer(row);
}

export interface OfferFilter {
  readonly productId: string;
  readonly type?: OfferType | undefined;
  readonly state?: OfferState | undefined;
}

/** Read by the index of a product's offers, of which there are few. */
const OFFERS = defineList<OfferRow, OfferFilter>({
  columns: COLUMNS,
  from: 'offers',
  filters: { productId: equals('product_id'), type: equals('type'), state: equals('state') },
});

/** Offers of a product, newest first. */
export async function listOffers(
  q: Queryable,
  scope: MerchantScope,
  filter: OfferFilter,
  page: PageRequest,
): Promise<Page<Offer>> {
  return mapPage(await fetchPage(q, scope, OFFERS, filter, page), toOffer);
}

function changeable(offer: Offer) {
  return {
    id: offer.id,
    name: offer.name,
    amount_centavos: offer.amount_centavos,
    billing_interval: offer.interval,
    trial_days: offer.trialDays,
    cycles: JSON.stringify(offer.cycles),
    updated_at: offer.updatedAt,
  };
}

function toOffer(row: OfferRow): Offer {
  return {
    id: row.id,
    hash: row.hash,
    productId: row.product_id,
    type: row.type,
    name: row.name,
    state: row.state,
    amount_centavos: row.amount_centavos,
    currency: 'BRL',
    interval: row.billing_interval,
    trialDays: row.trial_days,
    cycles: row.cycles,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

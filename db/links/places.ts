import type { PlaceState } from '../../domain/links/place-moves.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Tx } from '../engine/database.ts';

/** The place of a payment, or of a subscription, at a payment link. */
export interface PlaceKey {
  readonly linkId: string;
  readonly holderId: string;
}

/** The network of a buyer whose Pix or boleto is not paid yet, as a keyed hash in the form of a UUID. */
export interface UnpaidPlaceKey extends PlaceKey {
  readonly buyerNetwork?: string | undefined;
}

/**
 * Takes a place if the link accepts payments at this instant and has a place left. Simultaneous callers never take more
 * places than are left. The row of the link stays locked until the transaction ends. Returns whether a place was taken.
 */
export async function insertPlace(
  tx: Tx,
  scope: MerchantScope,
  { linkId, holderId, buyerNetwork }: UnpaidPlaceKey,
  at: Date,
): Promise<boolean> {
  const taken = await tx.execute(
    scope,
    `with link as (
       update payment_links set payments_under_way = payments_under_way + 1
        where {scope} and id = :link_id and state = 'active' and (expires_at is null or expires_at > :at)
          and (max_payments is null or payments_count + payments_under_way < max_payments)
       returning slot, merchant_id, id)
     insert into payment_link_places (slot, merchant_id, link_id, holder_id, state, buyer_network, created_at, updated_at)
     select slot, merchant_id, id, :holder_id, 'under_way', cast(:buyer_network as uuid), :at, :at from link`,
    { link_id: linkId, holder_id: holderId, buyer_network: buyerNetwork ?? null, at },
  );
  return taken === 1;
}

/** How many places of the link have unpaid charges of this network. 0 for a link without a limit. */
export async function countUnpaidPlaces(
  tx: Tx,
  scope: MerchantScope,
  { linkId, buyerNetwork }: { readonly linkId: string; readonly buyerNetwork: string },
): Promise<number> {
  const { unpaid } = await tx.one<{ unpaid: number }>(
    scope,
    `select count(*)::integer as unpaid
       from payment_link_places p
       join payment_links l on {scope:l} and l.id = p.link_id
      where {scope:p} and p.link_id = :link_id and p.buyer_network = :buyer_network and p.state = 'under_way'
        and l.max_payments is not null`,
    { link_id: linkId, buyer_network: buyerNetwork },
  );
  return unpaid;
}

/**
 * Moves a place, and updates the counts of its link. Returns false, with nothing changed, if there is no such place in
 * one of the states `from`.
 */
export async function movePlaceRow(
  tx: Tx,
  scope: MerchantScope,
  { linkId, holderId }: PlaceKey,
  { move, at }: { readonly move: RowMove<PlaceState>; readonly at: Date },
): Promise<boolean> {
  const moved = await tx.execute(
    scope,
    `with before as (
       select state as previous from payment_link_places
        where {scope} and link_id = :link_id and holder_id = :holder_id and state = any(:from)
          for update),
     moved as (
       update payment_link_places p set state = :to, updated_at = :at, buyer_network = null
         from before
        where {scope:p} and p.link_id = :link_id and p.holder_id = :holder_id
       returning before.previous)
     update payment_links l
        set payments_under_way = l.payments_under_way - (moved.previous = 'under_way')::integer,
            payments_count = l.payments_count + :counted
       from moved
      where {scope:l} and l.id = :link_id`,
    { link_id: linkId, holder_id: holderId, at, ...move, counted: move.to === 'counted' ? 1 : 0 },
  );
  return moved === 1;
}

import { moveOfferRow } from '../../db/products/offers.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Offer } from '../../domain/products/offer.ts';
import { type OfferMove, offerMachine } from '../../domain/products/offer-moves.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { notFound } from '../refusal.ts';

/** Archives or restores an offer. An offer that has the state already is not changed. Refusal: `not_found`. */
export function moveOffer<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, move }: { readonly id: string; readonly move: OfferMove },
  finish: Finish<Offer, Answer>,
): Promise<Answer> {
  const rowMove = offerMachine.rowMove(move, 'merchant');
  return deps.db.transaction(merchant, async (tx) => {
    const at = now(deps, merchant);
    const offer = isUuid(id)
      ? await moveOfferRow(tx, merchant, { id: normalizeUuid(id), move: rowMove, at })
      : undefined;
    if (offer === undefined) throw notFound('Offer');
    return finish(tx, offer);
  });
}

import type { Tx } from '../../db/engine/database.ts';
import { findPaymentLink } from '../../db/links/payment-links.ts';
import {
  countUnpaidPlaces,
  insertPlace,
  movePlaceRow,
  type PlaceKey,
  type UnpaidPlaceKey,
} from '../../db/links/places.ts';
import { type PaymentLinkStatus, paymentLinkStatus } from '../../domain/links/payment-link-status.ts';
import { type PlaceMove, placeMachine } from '../../domain/links/place-moves.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Actor } from '../../domain/state-machine.ts';
import { type Deps, now } from '../deps.ts';
import { notFound, notInThisState, Refusal } from '../refusal.ts';

/** The reason why a payment link takes no payment. `active`: payments in progress use all places that are left. */
const WHY_NOT: Readonly<Record<PaymentLinkStatus, string>> = {
  disabled: 'This payment link is disabled.',
  expired: 'This payment link has expired.',
  exhausted: 'This payment link has reached its maximum number of payments.',
  active: 'Every place of this payment link is taken.',
};

/** The maximum of unpaid places per network at a limited link. In the sandbox, one tester plays all buyers. */
const MAX_UNPAID = { production: 3, sandbox: 100 } as const;
const UNPAID_RETRY_S = 60;

/**
 * Takes a place of a payment link for a new payment or subscription, in the transaction that writes it. Call it after
 * all other rows are locked, because the link stays locked until the transaction ends. Refusals: `not_found`;
 * `wrong_state` if the link does not accept payments or has no place left; `too_many_unpaid_charges` if the buyer's
 * network has enough places without paying.
 */
export async function takePlace(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  place: UnpaidPlaceKey,
): Promise<void> {
  const at = now(deps, merchant);
  if (await insertPlace(tx, merchant, place, at)) return refuseIfManyUnpaid(deps, tx, merchant, place);
  const link = await findPaymentLink(tx, merchant, place.linkId);
  if (link === undefined) throw notFound('Payment link');
  throw notInThisState(WHY_NOT[paymentLinkStatus(link, at)]);
}

/** The link is locked, so simultaneous payments are counted one after another. */
async function refuseIfManyUnpaid(
  { environment }: Deps,
  tx: Tx,
  merchant: Merchant,
  { linkId, buyerNetwork }: UnpaidPlaceKey,
): Promise<void> {
  if (buyerNetwork === undefined) return;
  const max = MAX_UNPAID[environment];
  if ((await countUnpaidPlaces(tx, merchant, { linkId, buyerNetwork })) <= max) return;
  throw new Refusal('too_many_unpaid_charges', {
    message: `Your network has ${max} payments here that are not paid yet. Pay one of them, or try again later.`,
    retryAfter_s: UNPAID_RETRY_S,
  });
}

/**
 * Moves a place, in the transaction that moves its payment or subscription: `count` when the money has arrived,
 * `release` when it will not arrive. A repeated move changes nothing. Returns whether the place was moved.
 */
export function movePlace(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  { move, by, ...place }: PlaceKey & { readonly move: PlaceMove; readonly by: Actor },
): Promise<boolean> {
  const at = now(deps, merchant);
  return movePlaceRow(tx, merchant, place, { move: placeMachine.rowMove(move, by), at });
}

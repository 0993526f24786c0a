import type { BillingChange } from '../../domain/subscriptions/engine/change.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { placeMoveOfSubscription } from '../../domain/subscriptions/subscription-places.ts';
import type { TransactionContext } from '../deps.ts';
import { movePlace, takePlace } from '../links/places.ts';

/**
 * Takes the place of a new subscription at its payment link, if it has one. Call it last in the transaction. Refusals:
 * as `takePlace`.
 */
export async function takePlaceAtLink(
  context: TransactionContext,
  { id, paymentLinkId }: Subscription,
  change: BillingChange,
): Promise<void> {
  if (paymentLinkId === null) return;
  const { deps, tx, merchant } = context;
  const place = { linkId: paymentLinkId, holderId: id };
  await takePlace(deps, tx, merchant, place);
  const move = placeMoveOfSubscription(null, change.billing);
  if (move !== null) await movePlace(deps, tx, merchant, { ...place, move, by: 'acquirer' });
}

/** Moves the place of a subscription at its payment link with the subscription. */
export async function movePlaceAtLink(
  { deps, tx, merchant }: TransactionContext,
  { id, paymentLinkId, billing }: Subscription,
  change: BillingChange,
): Promise<void> {
  if (paymentLinkId === null) return;
  const move = placeMoveOfSubscription(billing, change.billing);
  if (move === null) return;
  const by = move === 'count' ? 'acquirer' : change.moves.at(-1)!.by;
  await movePlace(deps, tx, merchant, { linkId: paymentLinkId, holderId: id, move, by });
}

import { placeMoveOf } from '../../domain/links/place-moves.ts';
import type { PaymentListener } from '../deps.ts';
import { movePlace } from './places.ts';

/** Counts the place of a link's payment when the money has arrived, and releases it when it will not arrive. */
export const placesOfPayments: PaymentListener = {
  async changed({ deps, tx, merchant }, { before, after, by }) {
    if (after.paymentLinkId === null) return;
    const move = placeMoveOf(before, after);
    if (move === null) return;
    await movePlace(deps, tx, merchant, { linkId: after.paymentLinkId, holderId: after.id, move, by });
  },
};

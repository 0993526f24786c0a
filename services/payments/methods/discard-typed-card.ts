import { eraseAwaitingCard } from '../../../db/cards/cards.ts';
import type { PaymentStatus } from '../../../domain/payments/payment.ts';
import { now, type PaymentListener } from '../../deps.ts';

const NOT_APPROVED: readonly PaymentStatus[] = ['refused', 'canceled'];

/** Erases the card that a buyer typed if its payment was not approved, so that pages do not collect stolen cards. */
export const discardTypedCard: PaymentListener = {
  async changed({ deps, tx, merchant }, { before, after }) {
    if (before.status !== 'processing' || !NOT_APPROVED.includes(after.status)) return;
    const isFromPage = after.paymentLinkId !== null || after.offerId !== null;
    if (!isFromPage || !('cardId' in after.details)) return;
    await eraseAwaitingCard(tx, merchant, after.details.cardId, now(deps, merchant));
  },
};

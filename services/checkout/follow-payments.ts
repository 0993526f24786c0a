import { eraseAwaitingCard } from '../../db/cards/cards.ts';
import { chargedMeans } from '../../domain/payments/methods/index.ts';
import type { PaymentStatus } from '../../domain/payments/payment.ts';
import { now, type PaymentChange, type PaymentListener } from '../deps.ts';
import { countRefusedCard } from './card-tries.ts';

const NOT_APPROVED: readonly PaymentStatus[] = ['refused', 'canceled'];

/**
 * If a card that a buyer typed is not approved, erases it, so that pages do not collect stolen cards, and counts it for
 * the page. Also works for an outcome that arrives late.
 */
export const typedCardsOfPayments: PaymentListener = {
  async changed(context, change) {
    const { before, after } = change;
    if (before.status !== 'processing' || !NOT_APPROVED.includes(after.status)) return;
    // A capture or void of an approved card whose outcome was unknown.
    if (before.pendingOperation !== null) return;
    const pageId = after.paymentLinkId ?? after.offerId;
    const cardId = chargedMeans(after);
    if (pageId === null || cardId === null) return;
    const { deps, tx, merchant } = context;
    const isErased = await eraseAwaitingCard(tx, merchant, cardId, now(deps, merchant));
    // Of a subscription, buyers type the card of the first charge only.
    const isTyped = after.orderId !== null || isErased;
    if (isTyped && !isUnsent(change)) await countRefusedCard(context, pageId);
  },
};

/** The acquirer has never received the payment, so it says nothing about the card. */
function isUnsent({ transitions }: PaymentChange): boolean {
  return transitions.some(({ details }) => details?.isUnsent);
}

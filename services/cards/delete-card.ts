import { deleteSecurityCode } from '../../db/cards/card-security-codes.ts';
import { eraseCard } from '../../db/cards/cards.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, now } from '../deps.ts';
import { notFound, Refusal } from '../refusal.ts';
import { cardIdOf } from './get-card.ts';
import { moveNetworkToken } from './move-network-token.ts';

/**
 * Erases a card's number, security code and network token. Earlier payments still refer to the card. Refusals as
 * `getCard`; `card_in_use` while a subscription is charged to the card.
 */
export async function deleteCard(deps: Deps, merchant: Merchant, identifier: string): Promise<void> {
  const id = cardIdOf(identifier);
  await deps.db.transaction(merchant, async (tx) => {
    const at = now(deps, merchant);
    // Sent together in this order, because the token can be erased only before its card.
    const [isErased] = await Promise.all([
      moveNetworkToken(tx, merchant, 'erase', { cardId: id, by: 'merchant', at }),
      eraseCard(tx, merchant, id, at),
      deleteSecurityCode(tx, merchant, id),
    ]);
    if (!isErased) throw notFound('Card');
    for (const use of deps.cardUses) {
      if (await use.isUsed({ deps, tx, merchant }, id)) throw cardInUse();
    }
  });
}

function cardInUse(): Refusal {
  return new Refusal('card_in_use', {
    message: 'A subscription is charged to this card. Cancel it first, or give it another payment method.',
  });
}

import { findCard } from '../../db/cards/cards.ts';
import type { Card } from '../../domain/cards/card.ts';
import { hasNetworkToken } from '../../domain/cards/card-number.ts';
import { operationReference } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { invalid, notFound } from '../refusal.ts';
import { cardIdOf } from './get-card.ts';
import { moveNetworkToken } from './move-network-token.ts';

/**
 * Makes the background job request a card's network token. Changes nothing when the card has one, or when the request
 * is in progress. Refusals: as `getCard`; `brand` for a brand whose network has no tokens.
 */
export async function requestNetworkToken<R>(
  deps: Deps,
  merchant: Merchant,
  identifier: string,
  finish: Finish<Card, R>,
): Promise<R> {
  const cardId = cardIdOf(identifier);
  return deps.db.transaction(merchant, async (tx) => {
    const card = await findCard(tx, merchant, cardId);
    if (card === undefined) throw notFound('Card');
    if (!hasNetworkToken(card.brand)) {
      throw invalid({ brand: 'Only visa and mastercard cards have network tokens.' });
    }
    await moveNetworkToken(tx, merchant, 'request', {
      cardId,
      by: 'merchant',
      newReference: operationReference(merchant.slot, deps.random),
      dueAt: deps.wall(),
      at: now(deps, merchant),
    });
    return finish(tx, (await findCard(tx, merchant, cardId)) ?? card);
  });
}

import { findCard } from '../../db/cards/cards.ts';
import type { Card } from '../../domain/cards/card.ts';
import { isCanonicalUuid, looksLikeUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { notFound, Refusal } from '../refusal.ts';

/** A card of the merchant. Refusals: `invalid_card_identifier`, and `not_found`, also for a deleted one. */
export async function getCard(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
  identifier: string,
): Promise<Card> {
  const card = await findCard(deps.db, merchant, cardIdOf(identifier));
  if (card === undefined) throw notFound('Card');
  return card;
}

/**
 * Reads the identifier of a card (contract row 4.8). Refusals: `invalid_card_identifier` for a text shaped like a UUID
 * but not written 8-4-4-4-12, `not_found` for any other text that is not a UUID.
 */
export function cardIdOf(identifier: string): string {
  if (isCanonicalUuid(identifier)) return normalizeUuid(identifier);
  if (!looksLikeUuid(identifier)) throw notFound('Card');
  throw new Refusal('invalid_card_identifier', {
    message: 'The card identifier is not a UUID in the form 8-4-4-4-12.',
  });
}

import { findCard } from '../../db/cards/cards.ts';
import type { Card } from '../../domain/cards/card.ts';
import { isCanonicalUuid, looksLikeUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { notFound, Refusal } from '../refusal.ts';

/** A card of the merchant. Refusals: `invalid_uuid` (400), and 404 for one that is not there, or no more. */
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
 * The id that a caller's text names (contract row 4.8). Refusals: `invalid_uuid` (400) for what is shaped like a UUID
 * but not written 8-4-4-4-12, 404 for any other text that is none.
 */
export function cardIdOf(identifier: string): string {
  if (isCanonicalUuid(identifier)) return normalizeUuid(identifier);
  if (!looksLikeUuid(identifier)) throw notFound('Card');
  throw new Refusal('bad_request', {
    code: 'invalid_uuid',
    message: 'The card identifier is not a UUID in the form 8-4-4-4-12.',
  });
}

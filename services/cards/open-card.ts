import { findSealedCard } from '../../db/cards/card-security-codes.ts';
import type { Card } from '../../domain/cards/card.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { cardContext } from './card-context.ts';

/** A card with its secrets unencrypted. Exists in memory only, during one authorization. */
export interface OpenCard {
  readonly card: Card;
  readonly number: string;
  /** Null after an authorization has used it, or 15 minutes after the card was stored. */
  readonly securityCode: string | null;
}

/**
 * Opens a card for an authorization. Undefined when the merchant has no such card (of `customerId`, if given), or has
 * deleted it. The first transaction of the payment then calls `lockUndeletedCard`, because the card may have been deleted,
 * and `deleteSecurityCode`. If that returns false, another authorization has used the code, and this one must not use it.
 */
export async function openCardForAuthorization(
  deps: Deps,
  merchant: Merchant,
  cardId: string,
  customerId?: string,
): Promise<OpenCard | undefined> {
  if (!isCanonicalUuid(cardId)) return undefined;
  const id = normalizeUuid(cardId);
  const sealed = await findSealedCard(deps.db, merchant, id, deps.wall());
  if (sealed === undefined) return undefined;
  if (customerId !== undefined && sealed.card.customerId !== customerId) return undefined;
  const number = await deps.vault.open(sealed.numberSealed, cardContext.number(id));
  const code =
    sealed.codeSealed === null
      ? null
      : await deps.vault.open(sealed.codeSealed, cardContext.securityCode(id));
  return { card: sealed.card, number: number.toString('utf8'), securityCode: code?.toString('utf8') ?? null };
}

import { findSealedCard } from '../../db/cards/card-security-codes.ts';
import type { Card } from '../../domain/cards/card.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { cardContext } from './card-context.ts';

/** A card with its secrets unencrypted. Exists in memory only, during one authorization. */
export type OpenCard = { readonly card: Card } & (CardNumber | CardToken);

interface CardNumber {
  readonly number: string;
  /** Null after an authorization has used it, or 15 minutes after the card was stored. */
  readonly securityCode: string | null;
  readonly networkToken: null;
}

interface CardToken {
  readonly number: null;
  readonly securityCode: null;
  readonly networkToken: string;
}

/**
 * Opens a card for an authorization: by its network token if it has one, but by its number while it has a security code, which
 * the issuer then verifies. Undefined when the merchant has no such card (of `customerId`, if given), or has
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
  const { card, tokenSealed } = sealed;
  if (tokenSealed !== null && sealed.codeSealed === null) {
    const token = await deps.vault.open(tokenSealed, cardContext.networkToken(id));
    return { card, number: null, securityCode: null, networkToken: token.toString('utf8') };
  }
  const number = await deps.vault.open(sealed.numberSealed, cardContext.number(id));
  const code =
    sealed.codeSealed === null
      ? null
      : await deps.vault.open(sealed.codeSealed, cardContext.securityCode(id));
  return {
    card,
    number: number.toString('utf8'),
    securityCode: code?.toString('utf8') ?? null,
    networkToken: null,
  };
}

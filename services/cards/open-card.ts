import { findSealedCard } from '../../db/cards/card-security-codes.ts';
import { type Card, isNumberOf } from '../../domain/cards/card.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { Unreadable } from '../vault/vault.ts';
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
 * Opens a card for an authorization: by its network token if it has one, but by its number while it has a security
 * code, which the issuer then verifies. If one of them cannot be read, the other is used, but not a number whose last
 * digits the issuer has changed. Throws `Unreadable` if neither can. Undefined when the merchant has no such card, or
 * has deleted it. The first transaction of the payment then calls `lockUndeletedCard`, because the card may have been
 * deleted, and `deleteSecurityCode`. If that returns false, another authorization has used the code, and this one must
 * not use it.
 */
export async function openCardForAuthorization(
  deps: Deps,
  merchant: Merchant,
  cardId: string,
): Promise<OpenCard | undefined> {
  if (!isCanonicalUuid(cardId)) return undefined;
  const id = normalizeUuid(cardId);
  const sealed = await findSealedCard(deps.db, merchant, id, deps.wall());
  if (sealed === undefined) return undefined;
  const { card } = sealed;
  const securityCode = await readIfPossible(deps, sealed.codeSealed, cardContext.securityCode(id));
  const networkToken = await readIfPossible(deps, sealed.tokenSealed, cardContext.networkToken(id));
  const byToken = networkToken === null ? null : { card, number: null, securityCode: null, networkToken };
  if (byToken !== null && securityCode === null) return byToken;
  const number = await readIfPossible(deps, sealed.numberSealed, cardContext.number(id));
  if (number !== null && isNumberOf(card, number)) return { card, number, securityCode, networkToken: null };
  if (byToken !== null) return byToken;
  throw new Unreadable(`The card ${id} cannot be read.`);
}

/** Null if there is no value, or if it cannot be read, for example because its key was lost. */
async function readIfPossible(deps: Deps, sealed: Buffer | null, context: string): Promise<string | null> {
  if (sealed === null) return null;
  try {
    return (await deps.vault.open(sealed, context)).toString('utf8');
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    deps.log.error({ value: context, err: error }, 'a sealed value of a card cannot be read');
    return null;
  }
}

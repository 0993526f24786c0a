import { findCardsByNumber, replaceSealedNumber, type SealedNumber } from '../../db/cards/cards.ts';
import { isNumberOf } from '../../domain/cards/card.ts';
import type { CardData } from '../../domain/cards/card-data.ts';
import { operationReference } from '../../domain/identifiers.ts';
import { type Deps, now, type TransactionContext } from '../deps.ts';
import { KeyNotLoaded, Unreadable } from '../vault/vault.ts';
import { cardContext } from './card-context.ts';
import { fingerprintOf } from './card-records.ts';
import { moveNetworkToken } from './move-network-token.ts';

/** Most customers have one or two cards with the same number, that differ in holder or expiry. */
const MAX_REPAIRED = 10;

/**
 * Seals the number again in the customer's cards that have it and cannot be read any more, because a key of the vault
 * was lost. A network token that cannot be read, or that could not be requested without the number, is requested again.
 * Cards of other customers are not changed, nor those whose number the issuer has replaced. Of many cards with the
 * number, a few are repaired, so that entering a card takes no longer with each of them. Throws `KeyNotLoaded`; see
 * `withKeysLoaded`. If the key of the fingerprints was lost too, nobody can tell that the numbers are equal, and no
 * card changes.
 */
export async function repairCards(
  context: TransactionContext,
  customerId: string,
  data: CardData,
): Promise<void> {
  const { deps, tx, merchant } = context;
  const fingerprint = fingerprintOf(deps, merchant, data);
  const wanted = { customerId, fingerprint, limit: MAX_REPAIRED };
  for (const stored of await findCardsByNumber(tx, merchant, wanted)) {
    if (isNumberOf(stored.card, data.number)) await repair(context, stored, data);
  }
}

async function repair(context: TransactionContext, stored: SealedNumber, data: CardData): Promise<void> {
  const { deps, tx, merchant } = context;
  const { id: cardId, networkTokenStatus: tokenStatus } = stored.card;
  const lost = lostOf(context, stored);
  if (lost.number) {
    const to = deps.vault.seal(data.number, cardContext.number(cardId));
    await replaceSealedNumber(tx, merchant, { cardId, from: stored.numberSealed, to });
  }
  if (!lost.token && !(lost.number && tokenStatus !== 'active')) return;
  await moveNetworkToken(tx, merchant, 'renew', {
    cardId,
    by: 'merchant',
    newReference: operationReference(merchant.slot, deps.random),
    dueAt: deps.wall(),
    at: now(deps, merchant),
  });
}

/** Whether a card can be charged: by its network token, or by its number unless the issuer has replaced it. */
export function isChargeable(
  { deps }: TransactionContext,
  { card, numberSealed, tokenSealed }: SealedNumber,
): boolean {
  if (tokenSealed !== null && openedOrNull(deps, tokenSealed, cardContext.networkToken(card.id)) !== null) {
    return true;
  }
  const number = openedOrNull(deps, numberSealed, cardContext.number(card.id));
  return number !== null && isNumberOf(card, number.toString('utf8'));
}

function lostOf(
  { deps }: TransactionContext,
  { card: { id }, numberSealed, tokenSealed }: SealedNumber,
): { readonly number: boolean; readonly token: boolean } {
  return {
    number: openedOrNull(deps, numberSealed, cardContext.number(id)) === null,
    token: tokenSealed !== null && openedOrNull(deps, tokenSealed, cardContext.networkToken(id)) === null,
  };
}

/**
 * Null if the value cannot be read. Throws `KeyNotLoaded`, because a key that another process has just added is not
 * lost.
 */
function openedOrNull({ vault }: Deps, sealed: Buffer, context: string): Buffer | null {
  try {
    return vault.openLoaded(sealed, context);
  } catch (error) {
    if (error instanceof KeyNotLoaded || !(error instanceof Unreadable)) throw error;
    return null;
  }
}

import { findCardsByNumber, replaceSealedNumber, type SealedNumber } from '../../db/cards/cards.ts';
import type { CardData } from '../../domain/cards/card-data.ts';
import { operationReference } from '../../domain/identifiers.ts';
import { now, type TransactionContext } from '../deps.ts';
import { Unreadable } from '../vault/vault.ts';
import { cardContext } from './card-context.ts';
import { fingerprintOf } from './card-records.ts';
import { moveNetworkToken } from './move-network-token.ts';

/**
 * Seals the number again in the customer's cards that have it and cannot be read any more, because a key of the vault was
 * lost. A network token that cannot be read, or that could not be requested without the number, is requested again. Cards of
 * other customers are not changed. If the key of the fingerprints was lost too, nobody can tell that the numbers are equal,
 * and no card changes.
 */
export async function repairCards(
  context: TransactionContext,
  customerId: string,
  data: CardData,
): Promise<void> {
  const { deps, tx, merchant } = context;
  const fingerprint = fingerprintOf(deps, merchant, data);
  for (const stored of await findCardsByNumber(tx, merchant, { customerId, fingerprint })) {
    await repair(context, stored, data);
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

/** Whether a card can be charged: by its network token if it has one, otherwise by its number. */
export function isChargeable(context: TransactionContext, stored: SealedNumber): boolean {
  const lost = lostOf(context, stored);
  return stored.tokenSealed === null ? !lost.number : !lost.token;
}

function lostOf(
  { deps }: TransactionContext,
  { card: { id }, numberSealed, tokenSealed }: SealedNumber,
): { readonly number: boolean; readonly token: boolean } {
  const isLost = (sealed: Buffer, context: string) => {
    try {
      // A key that another process has just added counts as lost. The value is then sealed again with the key before it.
      deps.vault.openLoaded(sealed, context);
      return false;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return true;
    }
  };
  return {
    number: isLost(numberSealed, cardContext.number(id)),
    token: tokenSealed !== null && isLost(tokenSealed, cardContext.networkToken(id)),
  };
}

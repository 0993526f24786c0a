import { deleteSecurityCode } from '../../db/cards/card-security-codes.ts';
import { eraseCard } from '../../db/cards/cards.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, now } from '../deps.ts';
import { notFound } from '../refusal.ts';
import { cardIdOf } from './get-card.ts';

/** Erases a card's number, code and network token; payments of the past still name it. Refusals as `getCard`. */
export async function deleteCard(deps: Deps, merchant: Merchant, identifier: string): Promise<void> {
  const id = cardIdOf(identifier);
  await deps.db.transaction(merchant, async (tx) => {
    if (!(await eraseCard(tx, merchant, id, now(deps, merchant)))) throw notFound('Card');
    await deleteSecurityCode(tx, merchant, id);
  });
}

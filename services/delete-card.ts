import { deleteSecurityCode } from '../db/card-security-codes.ts';
import { eraseCard } from '../db/cards.ts';
import type { Merchant } from '../domain/merchant.ts';
import { type Deps, now } from './deps.ts';
import { cardIdOf } from './get-card.ts';
import { notFound } from './refusal.ts';

/** Erases a card's number, code and network token; payments of the past still name it. Refusals as `getCard`. */
export async function deleteCard(deps: Deps, merchant: Merchant, identifier: string): Promise<void> {
  const id = cardIdOf(identifier);
  await deps.db.transaction(merchant, async (tx) => {
    if (!(await eraseCard(tx, merchant, id, now(deps, merchant)))) throw notFound('Card');
    await deleteSecurityCode(tx, merchant, id);
  });
}

import { findCard, insertCard } from '../../db/cards/cards.ts';
import type { Card } from '../../domain/cards/card.ts';
import type { CardData } from '../../domain/cards/card-data.ts';
import { hasNetworkToken } from '../../domain/cards/card-number.ts';
import { operationReference } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, now, type TransactionContext } from '../deps.ts';
import { cardContext } from './card-context.ts';

/** A card to store. */
export interface NewCardRecord {
  readonly id: string;
  readonly customerId: string;
  readonly data: CardData;
  /** True: the card of a buyer, which has no network token and cannot be seen or used before an approval. */
  readonly awaitsApproval?: boolean;
}

/** Stores a card without its security code. `isNew` is false if an earlier run of the request has stored it. */
export async function addCard(
  { deps, tx, merchant }: TransactionContext,
  { id, customerId, data, awaitsApproval = false }: NewCardRecord,
): Promise<{ readonly card: Card; readonly isNew: boolean }> {
  const card = await insertCard(tx, merchant, {
    id,
    customerId,
    ...outlineOf(data),
    numberSealed: deps.vault.seal(data.number, cardContext.number(id)),
    fingerprint: fingerprintOf(deps, merchant, data),
    awaitsApproval,
    networkToken:
      hasNetworkToken(data.brand) && !awaitsApproval
        ? { reference: operationReference(merchant.slot, deps.random), dueAt: deps.wall() }
        : null,
    at: now(deps, merchant),
  });
  if (card !== undefined) return { card, isNew: true };
  const stored = await findCard(tx, merchant, id);
  if (stored === undefined) throw new Error('A deleted card has the id of the new one.');
  return { card: stored, isNew: false };
}

/** The parts of a card that may be stored unencrypted. */
export function outlineOf({ number, holder, brand, expMonth, expYear }: CardData) {
  return { holder, brand, first6: number.slice(0, 6), last4: number.slice(-4), expMonth, expYear };
}

/** Includes the merchant, so that the cards of two merchants cannot be compared. */
export function fingerprintOf(
  deps: Pick<Deps, 'hash'>,
  merchant: Pick<Merchant, 'merchantId'>,
  { number }: CardData,
): Buffer {
  return deps.hash('card-fingerprint', `${merchant.merchantId}:${number}`);
}

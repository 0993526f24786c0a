import { findUsedCard, lockUndeletedCard } from '../../../db/cards/cards.ts';
import type { Card } from '../../../domain/cards/card.ts';
import type { CardData } from '../../../domain/cards/card-data.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { CardMethod } from '../../../domain/payments/methods/index.ts';
import { addCard, fingerprintOf, type NewCardRecord, outlineOf } from '../../cards/card-records.ts';
import type { OpenCard } from '../../cards/open-card.ts';
import { repairCards } from '../../cards/repair-cards.ts';
import type { Deps, TransactionContext } from '../../deps.ts';
import { authorization, type CardTerms, cardDetails } from './card.ts';
import type { PreparedPayment } from './method.ts';

/** A card that a buyer typed at a checkout page. */
export interface TypedCard {
  /** The id if the card must be stored. */
  readonly id: string;
  readonly data: CardData;
  /** False: it is stored without a charge, as for a trial, and can be used at once. */
  readonly awaitsApproval: boolean;
}

export interface PreparedTypedCard extends PreparedPayment<CardMethod> {
  /** The id of the stored card, after `lock`. */
  cardId(): string;
}

/**
 * The payment by a card that a buyer typed. The card is stored for the customer in the transaction that writes the
 * payment. A card that awaits an approval can be used by others only after the approval of this payment. Its security
 * code is not stored: it is used for this authorization only. `lock` throws `KeyNotLoaded`; see `withKeysLoaded`.
 */
export function prepareTypedCard(
  deps: Deps,
  merchant: Merchant,
  { id, data, awaitsApproval }: TypedCard,
  terms: CardTerms,
): PreparedTypedCard {
  let opened: OpenCard;
  return {
    cardId: () => opened.card.id,
    async lock(tx, resolving) {
      const { id: customerId } = await resolving;
      const context = { deps, tx, merchant };
      const card =
        (await sameCard(context, customerId, data)) ??
        (await stored(context, { id, customerId, data, awaitsApproval }));
      opened = { card, number: data.number, securityCode: data.securityCode, networkToken: null };
    },
    details: () => cardDetails(merchant, terms, opened),
    take: async () => ({ command: (payment, common) => authorization(payment, common, opened) }),
  };
}

/**
 * The card with which the customer has already paid, locked, if the complete numbers are equal. Someone else may type
 * the customer's e-mail address, so a card with other middle digits is another card.
 */
async function sameCard(
  context: TransactionContext,
  customerId: string,
  data: CardData,
): Promise<Card | undefined> {
  const { deps, tx, merchant } = context;
  await repairCards(context, customerId, data);
  const used = await findUsedCard(tx, merchant, { customerId, ...outlineOf(data) });
  if (!used?.fingerprint.equals(fingerprintOf(deps, merchant, data))) return undefined;
  return (await lockUndeletedCard(tx, merchant, used.card.id)) ? used.card : undefined;
}

async function stored(context: TransactionContext, record: NewCardRecord): Promise<Card> {
  return (await addCard(context, record)).card;
}

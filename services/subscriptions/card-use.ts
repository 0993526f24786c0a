import { isCardCharged } from '../../db/subscriptions/subscriptions.ts';
import type { CardUse } from '../deps.ts';

/** A card cannot be deleted while a subscription is charged to it. */
export const cardsOfSubscriptions: CardUse = {
  isUsed: ({ tx, merchant }, cardId) => isCardCharged(tx, merchant, cardId),
};

import type { Card } from '../../domain/cards/card.ts';
import { localTimestamp } from '../../domain/local-time.ts';
import type { components } from '../../generated/types.ts';

/** A card as in the contract. */
export function cardAnswer(card: Card): components['schemas']['Card'] {
  return {
    id: card.id,
    customer_id: card.customerId,
    holder: card.holder,
    brand: card.brand,
    first_6: card.first6,
    last_4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    network_token: { status: card.networkTokenStatus },
    created_at: localTimestamp(card.createdAt),
    updated_at: localTimestamp(card.updatedAt),
  };
}

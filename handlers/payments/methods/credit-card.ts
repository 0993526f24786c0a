import type { CardDetails } from '../../../domain/payments/methods/credit-card.ts';
import type { components } from '../../../generated/types.ts';

export function creditCardBlock(card: CardDetails): components['schemas']['PaymentCreditCard'] {
  return {
    id: card.cardId,
    brand: card.brand,
    first_6: card.first6,
    last_4: card.last4,
    authorization_code: card.authorizationCode,
  };
}

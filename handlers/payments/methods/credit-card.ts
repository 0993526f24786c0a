import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';

export function creditCardBlock({
  details: card,
}: Payment<'credit_card' | 'debit_card'>): components['schemas']['PaymentCreditCard'] {
  return {
    id: card.cardId,
    brand: card.brand,
    first_6: card.first6,
    last_4: card.last4,
    authorization_code: card.authorizationCode,
  };
}

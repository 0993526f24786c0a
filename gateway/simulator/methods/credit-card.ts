import { chooseBehaviour } from '../magic-values.ts';
import { authorizationCode } from '../random.ts';
import type { SimulatedMethod } from './method.ts';

/** What a card number looks like. */
export const CARD_NUMBER = /^\d{12,19}$/;

export const creditCard: SimulatedMethod = {
  type: 'authorization',
  creations: [
    {
      path: '/v1/authorizations',
      operation: 'authorization',
      read(fields, { customer }) {
        const card = fields.object('card');
        const number = card.text('number', CARD_NUMBER);
        return {
          capture: fields.flag('capture'),
          // The number itself is not stored.
          card: { id: card.text('id'), first6: number.slice(0, 6), last4: number.slice(-4) },
          behaviour: chooseBehaviour({ card: number, document: customer.document }),
        };
      },
      approval: () => ({ authorization_code: authorizationCode() }),
    },
  ],
};

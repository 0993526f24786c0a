import { merchantDay } from '../../../domain/local-time.ts';
import type { Fields } from '../fields.ts';
import { chooseBehaviour } from '../magic-values.ts';
import type { Payment, PaymentCard } from '../payments.ts';
import { authorizationCode } from '../random.ts';
import type { CreationRequest, SimulatedMethod } from './method.ts';

/** What a card number looks like. */
export const CARD_NUMBER = /^\d{12,19}$/;

const MONTH = /^(0[1-9]|1[0-2])$/;
const YEAR = /^(20)?\d{2}$/;

export const card: SimulatedMethod = {
  type: 'authorization',
  creations: [
    {
      path: '/v1/authorizations',
      operation: 'authorization',
      async read(fields, request, { together }) {
        const card = fields.object('card');
        const capture = fields.flag('capture');
        if (!card.has('network_token')) return { capture, ...decided(cardOfNumber(card), request) };
        const { account } = request;
        const token = await together.findCredential({ account, credential: card.text('network_token') });
        // An issuer declines a token that it does not know.
        if (token === null) return { capture, behaviour: 'do_not_honor' };
        return { capture, ...decided(token, request) };
      },
      approval: () => ({ authorization_code: authorizationCode() }),
    },
  ],
};

type ReadCard = Pick<Payment, 'card' | 'behaviour'>;

/** The card in a request, and the behaviour that its number chooses. The number itself is not stored. */
export function cardOfNumber(fields: Fields): ReadCard & { readonly card: PaymentCard } {
  const number = fields.text('number', CARD_NUMBER);
  const goodThrough = `20${fields.text('exp_year', YEAR).slice(-2)}-${fields.text('exp_month', MONTH)}`;
  return {
    card: { id: fields.text('id'), first6: number.slice(0, 6), last4: number.slice(-4), goodThrough },
    behaviour: chooseBehaviour({ card: number }),
  };
}

/** The behaviour of the card. An expired one is refused. If the number chooses none, the customer's document does. */
function decided({ card, behaviour }: ReadCard, { requestedAt, customer }: CreationRequest): ReadCard {
  const isExpired = card?.goodThrough != null && card.goodThrough < merchantDay(requestedAt).slice(0, 7);
  if (isExpired) return { card, behaviour: 'expired_card' };
  const byDocument = chooseBehaviour({ document: customer.document });
  return { card, behaviour: behaviour === 'approve' ? byDocument : behaviour };
}

import { tokenizeCard } from '../../services/cards/tokenize-card.ts';
import { withFieldNames } from '../http/handler.ts';
import { cardAnswer } from './card-answer.ts';

export const createCard = withFieldNames<'createCard'>(
  // These are the field names of the encrypted document.
  {
    'card.number': 'encrypted.number',
    'card.holder': 'encrypted.holder',
    'card.expMonth': 'encrypted.expMonth',
    'card.expYear': 'encrypted.expYear',
    'card.securityCode': 'encrypted.securityCode',
  },
  ({ deps, merchant, keyId, body, newId, answer }) =>
    tokenizeCard(
      deps,
      merchant,
      { id: newId, keyId, customerId: body.customer_id, encrypted: body.encrypted },
      answer(({ card, isNew }) => ({ status: isNew ? 201 : 200, body: cardAnswer(card) })),
    ),
);

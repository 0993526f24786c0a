import { tokenizeCard } from '../../services/cards/tokenize-card.ts';
import { withFieldNames } from '../http/handler.ts';
import { cardAnswer } from './card-answer.ts';
import { ENCRYPTED_FIELD_NAMES } from './encrypted-field-names.ts';

export const createCard = withFieldNames<'createCard'>(
  ENCRYPTED_FIELD_NAMES,
  ({ deps, merchant, keyId, body, newId, answer }) =>
    tokenizeCard(
      deps,
      merchant,
      { id: newId, keyId, customerId: body.customer_id, encrypted: body.encrypted },
      answer(({ card, isNew }) => ({ status: isNew ? 201 : 200, body: cardAnswer(card) })),
    ),
);

import { tokenizeCard } from '../../services/cards/tokenize-card.ts';
import type { Handler } from '../http/handler.ts';
import { cardAnswer } from './card-answer.ts';

export const createCard: Handler<'createCard'> = ({ deps, merchant, keyId, body, newId, answer }) =>
  tokenizeCard(
    deps,
    merchant,
    { id: newId, keyId, customerId: body.customer_id, encrypted: body.encrypted },
    answer(({ card, isNew }) => ({ status: isNew ? 201 : 200, body: cardAnswer(card) })),
  );

import { getCard as getCardService } from '../../services/cards/get-card.ts';
import type { Handler } from '../http/handler.ts';
import { cardAnswer } from './card-answer.ts';

export const getCard: Handler<'getCard'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: cardAnswer(await getCardService(deps, merchant, path.uuid)),
});

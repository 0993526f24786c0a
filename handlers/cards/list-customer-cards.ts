import { listCustomerCards as listCustomerCardsService } from '../../services/cards/list-customer-cards.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { cardAnswer } from './card-answer.ts';

export const listCustomerCards: Handler<'listCustomerCards'> = async ({ deps, merchant, path, query }) => ({
  status: 200,
  body: pageAnswer(
    await listCustomerCardsService(deps, merchant, { identifier: path.identifier, page: pageInput(query) }),
    cardAnswer,
  ),
});

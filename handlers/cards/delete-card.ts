import { deleteCard as deleteCardService } from '../../services/cards/delete-card.ts';
import type { Handler } from '../http/handler.ts';

export const deleteCard: Handler<'deleteCard'> = async ({ deps, merchant, path }) => {
  await deleteCardService(deps, merchant, path.uuid);
  return { status: 204, body: undefined };
};

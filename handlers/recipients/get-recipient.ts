import { findRecipient } from '../../services/recipients/find-recipient.ts';
import type { Handler } from '../http/handler.ts';
import { recipientAnswer } from './recipient-answer.ts';

export const getRecipient: Handler<'getRecipient'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: recipientAnswer(await findRecipient(deps, merchant, path.uuid)),
});

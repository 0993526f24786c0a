import { createRecipient as createRecipientService } from '../../services/recipients/create-recipient.ts';
import type { Handler } from '../http/handler.ts';
import { domainWords } from '../words.ts';
import { recipientAnswer } from './recipient-answer.ts';

export const createRecipient: Handler<'createRecipient'> = ({ deps, merchant, body, newId, answer }) =>
  createRecipientService(
    deps,
    merchant,
    { ...domainWords(body), id: newId },
    answer(({ recipient, created }) => ({ status: created ? 201 : 200, body: recipientAnswer(recipient) })),
  );

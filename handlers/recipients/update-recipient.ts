import { updateRecipient as updateRecipientService } from '../../services/recipients/update-recipient.ts';
import type { Handler } from '../http/handler.ts';
import { domainWords } from '../words.ts';
import { recipientAnswer } from './recipient-answer.ts';

export const updateRecipient: Handler<'updateRecipient'> = ({ deps, merchant, path, body, answer }) =>
  updateRecipientService(
    deps,
    merchant,
    { identifier: path.uuid, changes: domainWords(body) },
    answer((recipient) => ({ status: 200, body: recipientAnswer(recipient) })),
  );

import { listRecipients as listRecipientsService } from '../../services/recipients/list-recipients.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { recipientAnswer } from './recipient-answer.ts';

export const listRecipients: Handler<'listRecipients'> = async ({ deps, merchant, query }) => {
  const page = await listRecipientsService(deps, merchant, {
    status: query.status,
    type: query.type,
    email: query.email,
    document: query.document,
    externalReference: query.external_reference,
    page: pageInput(query),
  });
  return { status: 200, body: pageAnswer(page, recipientAnswer) };
};

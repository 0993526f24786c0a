import { listEmails as list } from '../../services/emails/list-emails.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { emailAnswer } from './email-answer.ts';

export const listEmails: Handler<'listEmails'> = async ({ deps, merchant, query }) => {
  const page = await list(deps, merchant, { page: pageInput(query), paymentId: query.payment_id });
  return { status: 200, body: pageAnswer(page, emailAnswer) };
};

import { listDisputes as listDisputesService } from '../../services/disputes/find-dispute.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { disputeAnswer } from './dispute-answer.ts';

export const listDisputes: Handler<'listDisputes'> = async ({ deps, merchant, query }) => {
  const page = await listDisputesService(deps, merchant, {
    page: pageInput(query),
    status: query.status,
    paymentId: query.payment_id,
  });
  return { status: 200, body: pageAnswer(page, disputeAnswer) };
};

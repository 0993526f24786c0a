import { listRefunds as listRefundRecords } from '../../services/payments/list-payments.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { refundAnswer } from './refund-answer.ts';

export const listRefunds: Handler<'listRefunds'> = async ({ deps, merchant, path, query }) => {
  const page = await listRefundRecords(deps, merchant, path.identifier, pageInput(query));
  return { status: 200, body: pageAnswer(page, refundAnswer) };
};

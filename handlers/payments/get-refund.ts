import { getRefund as findRefund } from '../../services/payments/get-refund.ts';
import type { Handler } from '../http/handler.ts';
import { refundAnswer } from './refund-answer.ts';

export const getRefund: Handler<'getRefund'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: refundAnswer(await findRefund(deps, merchant, path.identifier, path.refund_id)),
});

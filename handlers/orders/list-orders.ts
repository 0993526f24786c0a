import { listOrders as listOrderRecords } from '../../services/orders/list-orders.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { orderAnswer } from './order-answer.ts';

export const listOrders: Handler<'listOrders'> = async ({ deps, merchant, query }) => {
  const page = await listOrderRecords(deps, merchant, {
    page: pageInput(query),
    code: query.code,
    customerId: query.customer_id,
    status: query.status,
  });
  return { status: 200, body: pageAnswer(page, (order) => orderAnswer(deps, order)) };
};

import { getOrder as findOrder } from '../../services/orders/get-order.ts';
import type { Handler } from '../http/handler.ts';
import { orderAnswer } from './order-answer.ts';

export const getOrder: Handler<'getOrder'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: orderAnswer(deps, await findOrder(deps, merchant, path.identifier)),
});

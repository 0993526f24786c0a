import { getPayment as findPayment } from '../../services/payments/get-payment.ts';
import type { Handler } from '../http/handler.ts';
import { paymentAnswer } from './payment-answer.ts';

export const getPayment: Handler<'getPayment'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: paymentAnswer(deps, await findPayment(deps, merchant, path.identifier)),
});

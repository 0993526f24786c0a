import { listPayments as listPaymentRecords } from '../../services/payments/list-payments.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { paymentAnswer } from './payment-answer.ts';

export const listPayments: Handler<'listPayments'> = async ({ deps, merchant, query }) => {
  const page = await listPaymentRecords(deps, merchant, {
    page: pageInput(query),
    status: query.status,
    method: query.payment_method,
    customerId: query.customer_id,
    orderCode: query.order_code,
    paymentLinkId: query.payment_link_id,
    offerId: query.offer_id,
    subscriptionId: query.subscription_id,
    amountMin_centavos: query.amount_min,
    amountMax_centavos: query.amount_max,
  });
  return { status: 200, body: pageAnswer(page, (payment) => paymentAnswer(deps, payment)) };
};

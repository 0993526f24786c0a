import { createOrder as placeOrder } from '../../services/orders/create-order.ts';
import type { NewOrder } from '../../services/orders/new-order.ts';
import { type Call, withFieldNames } from '../http/handler.ts';
import { domainWords } from '../words.ts';
import { orderAnswer } from './order-answer.ts';
import { splitRequest } from './split-request.ts';

export const createOrder = withFieldNames<'createOrder'>(
  {
    amount_centavos: 'payment.amount',
    currency: 'payment.currency',
    installments: 'payment.installments',
    'payment.method': 'payment.payment_method',
    split: 'payment.split',
    'split.*.recipient': 'payment.split.*.recipient_id',
  },
  (call) =>
    placeOrder(
      call.deps,
      call.merchant,
      newOrder(call),
      call.answer((placed) => ({ status: 201, body: orderAnswer(call.deps, placed) })),
    ),
);

const DEFAULT_CURRENCY = 'BRL';
const DEFAULT_INSTALLMENTS = 1;

function newOrder({ body, newId, isRerun }: Call<'createOrder'>): NewOrder {
  const { amount, currency, installments, payment_method, split = [], ...methodInputs } = body.payment;
  return {
    id: newId,
    isRerun,
    code: body.code,
    mcc: body.mcc,
    description: body.description ?? null,
    notificationUrl: body.notification_url ?? null,
    customer: domainWords(body.customer) as NewOrder['customer'],
    amount_centavos: amount,
    currency: currency ?? DEFAULT_CURRENCY,
    installments: installments ?? DEFAULT_INSTALLMENTS,
    payment: { method: payment_method, ...domainWords(methodInputs) },
    split: split.map(splitRequest),
    items: body.items ?? [],
    metadata: body.metadata ?? {},
  };
}

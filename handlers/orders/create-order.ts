import { createOrder as placeOrder } from '../../services/orders/create-order.ts';
import type { NewOrder } from '../../services/orders/new-order.ts';
import { type Body, type Call, withFieldNames } from '../http/handler.ts';
import { domainWords } from '../words.ts';
import { orderAnswer } from './order-answer.ts';

export const createOrder = withFieldNames<'createOrder'>(
  {
    amount_centavos: 'payment.amount',
    currency: 'payment.currency',
    method: 'payment.payment_method',
    'card.id': 'payment.credit_card.id',
    pixExpiresAt: 'payment.pix.expires_at',
  },
  (call) =>
    placeOrder(
      call.deps,
      call.merchant,
      newOrder(call),
      call.answer((placed) => ({ status: 201, body: orderAnswer(placed) })),
    ),
);

const DEFAULT_INSTALLMENTS = 1;

function newOrder({ body, newId, isRerun }: Call<'createOrder'>): NewOrder {
  const { payment } = body;
  return {
    id: newId,
    isRerun,
    code: body.code,
    mcc: body.mcc,
    description: body.description ?? null,
    notificationUrl: body.notification_url ?? null,
    customer: domainWords(body.customer) as NewOrder['customer'],
    amount_centavos: payment.amount,
    currency: payment.currency ?? 'BRL',
    installments: payment.installments ?? DEFAULT_INSTALLMENTS,
    method: payment.payment_method,
    card: payment.credit_card === undefined ? null : newCard(payment.credit_card),
    pixExpiresAt: payment.pix?.expires_at ?? null,
    items: body.items ?? [],
    metadata: body.metadata ?? {},
  };
}

function newCard(card: NonNullable<Body<'createOrder'>['payment']['credit_card']>): NewOrder['card'] {
  return {
    id: card.id,
    statementDescriptor: card.statement_descriptor ?? null,
    capture: card.capture ?? true,
  };
}

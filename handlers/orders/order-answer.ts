import { utcMicros } from '../../domain/local-time.ts';
import type { OrderBuyer, PlacedOrder } from '../../domain/orders/order.ts';
import { ORDER_STATUS_OF } from '../../domain/orders/order-status.ts';
import type { components } from '../../generated/types.ts';
import type { Deps } from '../../services/deps.ts';
import { addressAnswer } from '../customers/address-answer.ts';
import { paymentAnswer } from '../payments/payment-answer.ts';
import { wireWords } from '../words.ts';

type OrderAnswer = components['schemas']['Order'];

/** An order with its payment, as in the contract. */
export function orderAnswer(
  deps: Pick<Deps, 'checkoutBaseUrl'>,
  { order, payment }: PlacedOrder,
): OrderAnswer {
  return {
    id: order.id,
    code: order.code,
    status: ORDER_STATUS_OF[payment.status],
    amount: order.amount_centavos,
    currency: payment.currency as OrderAnswer['currency'],
    mcc: order.mcc,
    description: order.description,
    customer_id: order.customerId,
    items: order.items.map((item) => ({ ...item })),
    metadata: { ...order.metadata },
    buyer: order.buyer && buyerAnswer(order.buyer),
    notification_url: order.notificationUrl,
    payment: paymentAnswer(deps, payment),
    created_at: utcMicros(order.createdAt),
    updated_at: utcMicros(payment.updatedAt),
  };
}

function buyerAnswer(buyer: OrderBuyer): NonNullable<OrderAnswer['buyer']> {
  return { ...wireWords(buyer), addresses: buyer.addresses.map(addressAnswer) };
}

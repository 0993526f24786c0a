import { placeOrder } from '../../db/orders/place-order.ts';
import type { Order } from '../../domain/orders/order.ts';
import { newPayment } from '../../domain/payments/new-payment.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { sharesOf } from '../../domain/payments/payment-ledger.ts';
import { type PayingCustomer, resolveCustomer } from '../customers/resolve-customer.ts';
import { now, type TransactionContext } from '../deps.ts';
import { lockSplit } from '../ledger/resolve-split.ts';
import { creationCommand, firstOperation } from '../payments/first-operation.ts';
import type { PreparedPayment } from '../payments/methods/method.ts';
import { paymentEvent } from '../payments/payment-event.ts';
import type { BegunOperation } from '../payments/run-operation.ts';
import { invalid } from '../refusal.ts';
import type { NewOrder } from './new-order.ts';
import { CODE_USED } from './order-rules.ts';

/** An order that is written, with the command for the acquirer. The outcome is not known yet. */
export interface BegunOrder extends BegunOperation {
  readonly order: Order;
  readonly payment: Payment;
}

/**
 * Transaction A: writes the customer if it is new, the order, its payment and the pending operation. Refuses
 * `customer.id`, `code`, recipients of the split, and a card of another customer.
 */
export async function beginOrder(
  context: TransactionContext,
  input: NewOrder,
  prepared: PreparedPayment,
): Promise<BegunOrder> {
  const { deps, tx, merchant } = context;
  const at = now(deps, merchant);
  // All are sent together. If several fail, the problem of the customer is reported first.
  const resolving = resolveCustomer(context, input.customer);
  const [customer, , split] = await Promise.all([
    resolving,
    prepared.lock(tx, resolving),
    lockSplit(tx, merchant, input.split),
  ]);
  const order = orderRecord(input, customer, at);
  const payment = newPayment(
    { slot: merchant.slot, at, random: deps.random },
    {
      orderId: order.id,
      orderCode: order.code,
      paymentLinkId: input.checkout?.paymentLinkId ?? null,
      offerId: input.checkout?.offerId ?? null,
      subscriptionId: null,
      cycle: null,
      customerId: order.customerId,
      method: input.payment.method,
      amount_centavos: input.amount_centavos,
      currency: input.currency,
      installments: input.installments,
      interest_centavos: input.checkout?.interest_centavos ?? 0,
      split: sharesOf(input.amount_centavos, split),
      mcc: input.mcc,
      details: prepared.details(at, customer),
      retryAttempts: 0,
      billingDate: null,
      metadata: input.metadata,
    },
  );
  const operation = firstOperation(deps, payment);
  const event = paymentEvent(deps, 'payment.created', payment, at);
  const [maker, isPlaced] = await Promise.all([
    prepared.take(tx),
    placeOrder(tx, merchant, { order, payment, operation, event }),
  ]);
  if (!isPlaced) throw invalid({ code: CODE_USED });
  return {
    order,
    payment,
    operation: { ...operation, state: 'pending', refusalCode: null, attempts: 0 },
    command: creationCommand(merchant, payment, customer, maker),
  };
}

function orderRecord(input: NewOrder, customer: PayingCustomer, at: Date): Order {
  return {
    id: input.id,
    code: input.code,
    customerId: customer.id,
    mcc: input.mcc,
    amount_centavos: input.amount_centavos,
    description: input.description,
    notificationUrl: input.notificationUrl,
    items: input.items,
    metadata: input.metadata,
    buyer: input.checkout?.buyer ?? null,
    createdAt: at,
  };
}

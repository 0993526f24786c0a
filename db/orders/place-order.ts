import type { EventRecord } from '../../domain/events/event.ts';
import type { Order } from '../../domain/orders/order.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Tx } from '../engine/database.ts';
import { PAYMENT_COLUMNS_WRITTEN, paymentRow } from '../payments/insert-payment.ts';
import type { NewOperation } from '../payments/payment-operations.ts';
import { ORDER_COLUMNS, type OrderRow } from './orders.ts';

/** All rows of a new order. */
export interface NewPlacedOrder {
  readonly order: Order;
  readonly payment: Payment;
  /** The pending operation that creates the payment at the acquirer. */
  readonly operation: NewOperation;
  /** The event that the payment was created. */
  readonly event: EventRecord;
}

/**
 * The columns of each row, except slot and merchant. With the row before them, they name the statement's parameters.
 */
const ORDER = ORDER_COLUMNS.split(', ') as (keyof OrderRow)[];
const OPERATION = [
  'id',
  'payment_id',
  'payment_amount_centavos',
  'kind',
  'amount_centavos',
  'reference',
  'state',
  'check_at',
  'created_at',
] as const;
const EVENT = ['id', 'event', 'object_type', 'object_id', 'payment_id', 'data', 'created_at'] as const;

const parameters = (row: string, columns: readonly string[]) =>
  columns.map((column) => `:${row}__${column}`).join(', ');
const insert = (table: string, row: string, columns: readonly string[]) =>
  `insert into ${table} (slot, merchant_id, ${columns.join(', ')})
     select slot, merchant_id, ${parameters(row, columns)} from placed`;

/** One statement instead of four: a round trip costs both sides more than the row that it writes. */
const PLACE_ORDER = `with placed as (
    insert into orders (slot, merchant_id, ${ORDER_COLUMNS})
    values (:slot, :merchant_id, ${parameters('order', ORDER)})
    on conflict (slot, merchant_id, code) do nothing returning slot, merchant_id),
  payment as (${insert('payments', 'payment', PAYMENT_COLUMNS_WRITTEN)}),
  operation as (${insert('payment_operations', 'operation', OPERATION)}),
  event as (${insert('events', 'event', EVENT)} returning slot, merchant_id, id)
  insert into event_outbox (slot, merchant_id, event_id) select slot, merchant_id, id from event`;

/**
 * Writes an order with its payment, the pending operation, and the event. Returns false, with nothing written, if the
 * merchant has used the order's code before.
 */
export async function placeOrder(tx: Tx, scope: MerchantScope, placed: NewPlacedOrder): Promise<boolean> {
  const touched = await tx.execute(scope, PLACE_ORDER, {
    ...prefixed('order', orderRow(placed.order)),
    ...prefixed('payment', paymentRow(placed.payment)),
    ...prefixed('operation', operationRow(placed.operation)),
    ...prefixed('event', eventRow(placed.event)),
  });
  return touched === 1;
}

function prefixed(row: string, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([column, value]) => [`${row}__${column}`, value]));
}

function orderRow(order: Order): Record<keyof OrderRow, unknown> {
  return {
    id: order.id,
    code: order.code,
    customer_id: order.customerId,
    mcc: order.mcc,
    amount_centavos: order.amount_centavos,
    description: order.description,
    notification_url: order.notificationUrl,
    items: JSON.stringify(order.items),
    metadata: JSON.stringify(order.metadata),
    buyer: order.buyer === null ? null : JSON.stringify(order.buyer),
    created_at: order.createdAt,
  };
}

function operationRow(operation: NewOperation): Record<(typeof OPERATION)[number], unknown> {
  return {
    id: operation.id,
    payment_id: operation.paymentId,
    payment_amount_centavos: operation.paymentAmount_centavos,
    kind: operation.kind,
    amount_centavos: operation.amount_centavos,
    reference: operation.reference,
    state: 'pending',
    check_at: operation.checkAt,
    created_at: operation.createdAt,
  };
}

function eventRow(event: EventRecord): Record<(typeof EVENT)[number], unknown> {
  return {
    id: event.id,
    event: event.event,
    object_type: event.objectType,
    object_id: event.objectId,
    payment_id: event.paymentId,
    data: JSON.stringify(event.data),
    created_at: event.createdAt,
  };
}

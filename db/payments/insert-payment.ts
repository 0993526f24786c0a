import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { bulk } from '../engine/bulk.ts';
import type { Tx } from '../engine/database.ts';
import { type Row, rowList } from '../engine/row-list.ts';
import { splitColumn } from './payment-row.ts';

/** The columns that a new payment is written with. The others have their default. */
const TYPES = {
  id: 'uuid',
  hash: 'text',
  order_id: 'uuid',
  order_code: 'text',
  payment_link_id: 'uuid',
  offer_id: 'uuid',
  subscription_id: 'uuid',
  cycle: 'integer',
  customer_id: 'uuid',
  status: 'text',
  method: 'text',
  amount_centavos: 'bigint',
  currency: 'text',
  installments: 'smallint',
  interest_centavos: 'bigint',
  reference: 'text',
  mcc: 'text',
  details: 'json',
  split: 'jsonb',
  retry_attempts: 'smallint',
  billing_date: 'date',
  due_at: 'timestamptz',
  metadata: 'jsonb',
  history: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;
export const PAYMENT_COLUMNS_WRITTEN = Object.keys(TYPES);

/** Writes a payment that has no order. */
export function insertPayment(tx: Tx, scope: MerchantScope, payment: Payment): Promise<void> {
  return insertRows(tx, scope, payment);
}

const insertRows = bulk<Tx, Payment, void>(async (tx, scope, payments) => {
  const rows = rowList('n', TYPES, payments.map(paymentRow));
  await tx.execute(
    scope,
    `insert into payments (slot, merchant_id, ${PAYMENT_COLUMNS_WRITTEN.join(', ')})
     select :slot, :merchant_id, ${PAYMENT_COLUMNS_WRITTEN.map((column) => `n.${column}`).join(', ')} from ${rows.sql}`,
    rows.params,
  );
  return [];
});

/** The values of `PAYMENT_COLUMNS_WRITTEN`. */
export function paymentRow(payment: Payment): Row<typeof TYPES> {
  return {
    id: payment.id,
    hash: payment.hash,
    order_id: payment.orderId,
    order_code: payment.orderCode,
    payment_link_id: payment.paymentLinkId,
    offer_id: payment.offerId,
    subscription_id: payment.subscriptionId,
    cycle: payment.cycle,
    customer_id: payment.customerId,
    status: payment.status,
    method: payment.method,
    amount_centavos: payment.amount_centavos,
    currency: payment.currency,
    installments: payment.installments,
    interest_centavos: payment.interest_centavos,
    reference: payment.reference,
    mcc: payment.mcc,
    details: JSON.stringify(payment.details),
    split: splitColumn(payment.split),
    retry_attempts: payment.retryAttempts,
    billing_date: payment.billingDate,
    due_at: payment.dueAt,
    metadata: JSON.stringify(payment.metadata),
    history: JSON.stringify(payment.history),
    created_at: payment.createdAt,
    updated_at: payment.updatedAt,
  };
}

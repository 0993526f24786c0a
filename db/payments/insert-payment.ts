import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Tx } from '../engine/database.ts';
import { splitColumn } from './payment-row.ts';

const COLUMNS = [
  'id',
  'hash',
  'order_id',
  'order_code',
  'payment_link_id',
  'offer_id',
  'subscription_id',
  'cycle',
  'customer_id',
  'status',
  'method',
  'amount_centavos',
  'currency',
  'installments',
  'interest_centavos',
  'reference',
  'mcc',
  'details',
  'split',
  'retry_attempts',
  'billing_date',
  'due_at',
  'metadata',
  'history',
  'created_at',
  'updated_at',
] as const;

/** Writes a payment that has no order. */
export async function insertPayment(tx: Tx, scope: MerchantScope, payment: Payment): Promise<void> {
  await tx.execute(
    scope,
    `insert into payments (slot, merchant_id, ${COLUMNS.join(', ')})
     values (:slot, :merchant_id, ${COLUMNS.map((column) => `:${column}`).join(', ')})`,
    paramsOf(payment),
  );
}

function paramsOf(payment: Payment): Record<(typeof COLUMNS)[number], unknown> {
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

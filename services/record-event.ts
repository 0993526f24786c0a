import type { Tx } from '../db/database.ts';
import { insertEvent } from '../db/events.ts';
import { uuidV7 } from '../domain/identifiers.ts';
import type { Payment } from '../domain/payment.ts';
import type { PaymentEvent } from '../domain/payment-transitions.ts';
import type { MerchantScope } from '../domain/scope.ts';
import type { Deps } from './deps.ts';

/** Writes an event of a payment, in the transaction that makes it true, as the payment looks at that moment. */
export async function recordPaymentEvent(
  deps: Deps,
  tx: Tx,
  scope: MerchantScope,
  event: PaymentEvent,
  payment: Payment,
  at: Date,
): Promise<void> {
  await insertEvent(tx, scope, {
    id: uuidV7(at.getTime(), deps.random),
    event,
    objectType: 'payment',
    objectId: payment.id,
    paymentId: payment.id,
    data: deps.present.payment(payment),
    createdAt: at,
  });
}

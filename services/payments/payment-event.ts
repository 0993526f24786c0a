import type { EventRecord } from '../../domain/events/event.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentEvent } from '../../domain/payments/payment-events.ts';
import type { Deps } from '../deps.ts';

/**
 * An event with the payment as it is now. The caller writes it in the transaction that changes the payment. `at` is the
 * merchant's time.
 */
export function paymentEvent(deps: Deps, event: PaymentEvent, payment: Payment, at: Date): EventRecord {
  return {
    id: uuidV7(at.getTime(), deps.random),
    event,
    objectType: 'payment',
    objectId: payment.id,
    paymentId: payment.id,
    data: deps.present.payment(deps, payment),
    createdAt: at,
  };
}

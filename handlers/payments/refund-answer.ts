import { utcMicros } from '../../domain/local-time.ts';
import type { components } from '../../generated/types.ts';
import type { Refund } from '../../services/list-payments.ts';

export function refundAnswer(refund: Refund): components['schemas']['Refund'] {
  return {
    id: refund.id,
    payment_id: refund.paymentId,
    amount: refund.amount_centavos,
    status: refund.status,
    created_at: utcMicros(refund.createdAt),
    updated_at: utcMicros(refund.updatedAt),
  };
}

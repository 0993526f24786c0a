import { utcMicros } from '../../domain/local-time.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import type { components } from '../../generated/types.ts';

type RefundAnswer = components['schemas']['Refund'];

/** A refund as in the contract. */
export function refundAnswer(refund: Refund): RefundAnswer {
  return {
    id: refund.id,
    payment_id: refund.paymentId,
    amount: refund.amount_centavos,
    status: refund.status,
    reason: refund.reason,
    metadata: { ...refund.metadata },
    denial: refund.denial as RefundAnswer['denial'],
    created_at: utcMicros(refund.createdAt),
    updated_at: utcMicros(refund.updatedAt),
  };
}

import { refundPayment } from '../../services/payments/refund-payment.ts';
import { withFieldNames } from '../http/handler.ts';
import { refundAnswer } from './refund-answer.ts';

export const createRefund = withFieldNames<'createRefund'>(
  { amount_centavos: 'amount' },
  ({ deps, merchant, path, body, newId, isRerun, answer }) =>
    refundPayment(
      deps,
      merchant,
      {
        id: newId,
        isRerun,
        paymentIdentifier: path.identifier,
        amount_centavos: body?.amount ?? null,
        reason: body?.reason ?? null,
        metadata: body?.metadata ?? {},
      },
      answer((refund) => ({ status: 201, body: refundAnswer(refund) })),
    ),
);

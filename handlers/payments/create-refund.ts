import { refundPayment } from '../../services/payments/refund-payment.ts';
import type { Handler } from '../http/handler.ts';
import { refundAnswer } from './refund-answer.ts';

export const createRefund: Handler<'createRefund'> = ({
  deps,
  merchant,
  path,
  body,
  newId,
  isRerun,
  answer,
}) =>
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
  );

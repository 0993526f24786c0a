import { simulatePayment as simulate } from '../../services/sandbox/simulate-payment.ts';
import type { Handler } from '../http/handler.ts';
import { paymentAnswer } from '../payments/payment-answer.ts';

export const simulatePayment: Handler<'simulatePayment'> = ({
  deps,
  merchant,
  path,
  body,
  newId,
  isRerun,
  answer,
}) =>
  simulate(
    deps,
    merchant,
    {
      id: newId,
      isRerun,
      paymentIdentifier: path.identifier,
      outcome: body.outcome,
      reason: body.reason ?? null,
    },
    answer((payment) => ({ status: 200, body: paymentAnswer(deps, payment) })),
  );

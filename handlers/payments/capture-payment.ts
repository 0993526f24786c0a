import { capturePayment as capture } from '../../services/payments/capture-payment.ts';
import { withFieldNames } from '../http/handler.ts';
import { paymentAnswer } from './payment-answer.ts';

export const capturePayment = withFieldNames<'capturePayment'>(
  { amount_centavos: 'amount' },
  ({ deps, merchant, path, body, newId, isRerun, answer }) =>
    capture(
      deps,
      merchant,
      {
        operationId: newId,
        isRerun,
        paymentIdentifier: path.identifier,
        amount_centavos: body?.amount ?? null,
      },
      answer((payment) => ({ status: 200, body: paymentAnswer(deps, payment) })),
    ),
);

import { cancelPayment as cancel } from '../../services/payments/capture-payment.ts';
import type { Handler } from '../http/handler.ts';
import { paymentAnswer } from './payment-answer.ts';

export const cancelPayment: Handler<'cancelPayment'> = ({ deps, merchant, path, newId, isRerun, answer }) =>
  cancel(
    deps,
    merchant,
    { operationId: newId, isRerun, paymentIdentifier: path.identifier },
    answer((payment) => ({ status: 200, body: paymentAnswer(deps, payment) })),
  );

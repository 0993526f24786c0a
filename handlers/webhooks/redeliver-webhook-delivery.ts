import { redeliver } from '../../services/webhooks/redeliver.ts';
import type { Handler } from '../http/handler.ts';
import { deliveryAnswer } from './delivery-answer.ts';

export const redeliverWebhookDelivery: Handler<'redeliverWebhookDelivery'> = ({
  deps,
  merchant,
  path,
  answer,
}) =>
  redeliver(
    deps,
    merchant,
    path.id,
    answer((delivery) => ({ status: 200, body: deliveryAnswer(delivery) })),
  );

import { pingEndpoint } from '../../services/webhooks/ping-endpoint.ts';
import type { Handler } from '../http/handler.ts';
import { deliveryAnswer } from './delivery-answer.ts';

export const pingWebhookEndpoint: Handler<'pingWebhookEndpoint'> = ({
  deps,
  merchant,
  path,
  newId,
  answer,
}) =>
  pingEndpoint(
    deps,
    merchant,
    { endpointId: path.id, deliveryId: newId },
    answer((delivery) => ({ status: 201, body: deliveryAnswer(delivery) })),
  );

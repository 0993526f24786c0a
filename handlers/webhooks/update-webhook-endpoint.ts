import { updateEndpoint } from '../../services/webhooks/update-endpoint.ts';
import type { Handler } from '../http/handler.ts';
import { endpointAnswer } from './endpoint-answer.ts';

export const updateWebhookEndpoint: Handler<'updateWebhookEndpoint'> = ({
  deps,
  merchant,
  path,
  body,
  answer,
}) =>
  updateEndpoint(
    deps,
    merchant,
    { id: path.id, changes: body },
    answer((endpoint) => ({ status: 200, body: endpointAnswer(endpoint, deps.wall()) })),
  );

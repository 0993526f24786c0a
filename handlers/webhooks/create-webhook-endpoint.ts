import { createEndpoint } from '../../services/webhooks/create-endpoint.ts';
import type { Handler } from '../http/handler.ts';
import { endpointWithSecretAnswer } from './endpoint-answer.ts';

export const createWebhookEndpoint: Handler<'createWebhookEndpoint'> = ({
  deps,
  merchant,
  body,
  newId,
  answer,
}) =>
  createEndpoint(
    deps,
    merchant,
    { ...body, id: newId },
    answer((created) => ({ status: 201, body: endpointWithSecretAnswer(created, deps.wall()) })),
  );

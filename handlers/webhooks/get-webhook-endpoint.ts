import { findEndpoint } from '../../services/webhooks/find-endpoint.ts';
import type { Handler } from '../http/handler.ts';
import { endpointAnswer } from './endpoint-answer.ts';

export const getWebhookEndpoint: Handler<'getWebhookEndpoint'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: endpointAnswer(await findEndpoint(deps, merchant, path.id), deps.wall()),
});

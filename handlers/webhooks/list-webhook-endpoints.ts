import { listEndpoints } from '../../services/webhooks/find-endpoint.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { endpointAnswer } from './endpoint-answer.ts';

export const listWebhookEndpoints: Handler<'listWebhookEndpoints'> = async ({ deps, merchant, query }) => {
  const page = await listEndpoints(deps, merchant, pageInput(query));
  return { status: 200, body: pageAnswer(page, (endpoint) => endpointAnswer(endpoint, deps.wall())) };
};

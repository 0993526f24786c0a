import { listEndpoints } from '../../services/webhooks/find-endpoint.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { endpointAnswer } from './endpoint-answer.ts';

export const listWebhookEndpoints: Handler<'listWebhookEndpoints'> = async ({ deps, merchant, query }) => ({
  status: 200,
  body: pageAnswer(await listEndpoints(deps, merchant, pageInput(query)), endpointAnswer),
});

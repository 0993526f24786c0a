import { listDeliveries } from '../../services/webhooks/list-deliveries.ts';
import type { Handler } from '../http/handler.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { deliveryAnswer } from './delivery-answer.ts';

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async ({ deps, merchant, query }) => {
  const page = await listDeliveries(deps, merchant, {
    endpointId: query.endpoint_id,
    event: query.event,
    eventId: query.event_id,
    status: query.status,
    page: pageInput(query),
  });
  return { status: 200, body: pageAnswer(page, deliveryAnswer) };
};

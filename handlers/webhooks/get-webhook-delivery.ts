import { findDelivery } from '../../services/webhooks/list-deliveries.ts';
import type { Handler } from '../http/handler.ts';
import { deliveryAnswer } from './delivery-answer.ts';

export const getWebhookDelivery: Handler<'getWebhookDelivery'> = async ({ deps, merchant, path }) => ({
  status: 200,
  body: deliveryAnswer(await findDelivery(deps, merchant, path.id)),
});

import { deleteEndpoint } from '../../services/webhooks/delete-endpoint.ts';
import type { Handler } from '../http/handler.ts';

export const deleteWebhookEndpoint: Handler<'deleteWebhookEndpoint'> = ({ deps, merchant, path, answer }) =>
  deleteEndpoint(
    deps,
    merchant,
    path.id,
    answer(() => ({ status: 204, body: undefined })),
  );

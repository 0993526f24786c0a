import { rotateSecret } from '../../services/webhooks/rotate-secret.ts';
import type { Handler } from '../http/handler.ts';
import { endpointWithSecretAnswer } from './endpoint-answer.ts';

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = ({ deps, merchant, path, answer }) =>
  rotateSecret(
    deps,
    merchant,
    path.id,
    answer((rotated) => ({ status: 200, body: endpointWithSecretAnswer(rotated, deps.wall()) })),
  );

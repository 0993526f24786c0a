import { utcMicros } from '../../domain/local-time.ts';
import type { DeliveryAttempt, DeliveryError } from '../../domain/webhooks/delivery.ts';
import type { components } from '../../generated/types.ts';
import type { Delivery } from '../../services/webhooks/list-deliveries.ts';

type DeliveryBody = components['schemas']['WebhookDelivery'];

export function deliveryAnswer(delivery: Delivery): DeliveryBody {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    url: delivery.url,
    event: delivery.event as DeliveryBody['event'],
    event_id: delivery.eventId,
    status: delivery.status,
    error: errorAnswer(delivery.error),
    next_attempt_at: delivery.nextAttemptAt && utcMicros(delivery.nextAttemptAt),
    attempts: delivery.attempts.map(attemptAnswer),
    response_body: delivery.responseBody,
    created_at: utcMicros(delivery.createdAt),
  };
}

function attemptAnswer(attempt: DeliveryAttempt): DeliveryBody['attempts'][number] {
  return {
    attempted_at: utcMicros(attempt.attemptedAt),
    duration_ms: attempt.duration_ms,
    response_status: attempt.responseStatus,
    error: errorAnswer(attempt.error),
  };
}

function errorAnswer(error: DeliveryError | null): components['schemas']['WebhookDeliveryError'] | null {
  return error as components['schemas']['WebhookDeliveryError'] | null;
}

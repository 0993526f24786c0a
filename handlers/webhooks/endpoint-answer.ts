import { utcMicros } from '../../domain/local-time.ts';
import type { Endpoint } from '../../domain/webhooks/endpoint.ts';
import type { Faults } from '../../domain/webhooks/faults.ts';
import type { components } from '../../generated/types.ts';
import type { EndpointWithSecret } from '../../services/webhooks/create-endpoint.ts';

type EndpointBody = components['schemas']['WebhookEndpoint'];

/** An endpoint without its secret, at a wall time. */
export function endpointAnswer(endpoint: Endpoint, wall: Date): EndpointBody {
  const { previousSecretExpiresAt: until, failingSince, idleSince } = endpoint;
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: [...endpoint.events] as EndpointBody['events'],
    description: endpoint.description,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    signed: endpoint.signed,
    previous_secret_expires_at: until !== null && wall < until ? utcMicros(until) : null,
    failing_since: failingSince && idleSince === null ? utcMicros(failingSince) : null,
    faults: endpoint.faults && faultsAnswer(endpoint.faults),
    created_at: utcMicros(endpoint.createdAt),
    updated_at: utcMicros(endpoint.updatedAt),
  };
}

export function faultsAnswer(faults: Faults): components['schemas']['WebhookFaults'] {
  return {
    duplicate: faults.duplicate,
    reorder: faults.reorder,
    delay_s: faults.delay_s,
    drop_first: faults.dropFirst,
    wrong_signature: faults.wrongSignature,
  };
}

export function endpointWithSecretAnswer(
  { endpoint, secret }: EndpointWithSecret,
  wall: Date,
): components['schemas']['WebhookEndpointWithSecret'] {
  return { ...endpointAnswer(endpoint, wall), secret };
}

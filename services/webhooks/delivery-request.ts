import type { OutgoingCall } from '../outgoing.ts';
import { signatureHeaders } from './signature.ts';

export interface DeliveryRequest {
  readonly url: string;
  /** The id of the delivery, the same for all its attempts. */
  readonly id: string;
  readonly body: string;
  /** None: the request is not signed. */
  readonly secrets: readonly string[];
  /** Wall time. */
  readonly at: Date;
}

/** The request of one attempt to deliver an event, signed by each of the secrets. */
export function deliveryRequest({ url, id, body, secrets, at }: DeliveryRequest): OutgoingCall {
  return {
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Centavo-Webhooks/1',
      'x-service-delivery': id,
      ...signatureHeaders(secrets, { id, timestamp_s: Math.floor(at.getTime() / 1_000), body }),
    },
    body,
  };
}

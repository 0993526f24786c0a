import type { KeyObject } from 'node:crypto';
import type { OutgoingCall } from './outgoing.ts';
import { signatureHeaders } from './signature.ts';

export interface DeliveryRequest {
  readonly url: string;
  /** The id of the delivery, the same for all its attempts. */
  readonly id: string;
  readonly body: string | Buffer;
  /** None: the request is not signed. */
  readonly keys: readonly KeyObject[];
  /** Wall time. */
  readonly at: Date;
}

/** The request of one attempt to deliver an event, signed with each of the keys. */
export function deliveryRequest({ url, id, body, keys, at }: DeliveryRequest): OutgoingCall {
  return {
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Centavo-Webhooks/1',
      'x-service-delivery': id,
      ...signatureHeaders(keys, { id, timestamp_s: Math.floor(at.getTime() / 1_000), body }),
    },
    body,
  };
}

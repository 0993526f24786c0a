import { randomUUID } from 'node:crypto';
import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import { CHARGE_FAMILIES } from '../../../domain/payments/methods/method.ts';
import type { NotificationType } from '../../../gateway/acquirer.ts';
import type { WireCardUpdate } from '../../../gateway/card-update.ts';
import { SIGNATURE_HEADER, sign } from '../../../gateway/signature.ts';
import type { WireNotification } from '../../../gateway/wire.ts';
import { localSecrets } from '../../../services/vault/local-secrets.ts';
import type { TestService } from '../service.ts';

/** A notification as the acquirer would send it: its type gives the method, or it is about a credit card. */
export function notification(
  account: string,
  reference: string,
  type: NotificationType,
  fields: Partial<WireNotification> = {},
): WireNotification {
  return {
    id: randomUUID(),
    account,
    reference,
    type,
    method: methodOf(type),
    occurred_at: new Date().toISOString(),
    refusal: null,
    amount_centavos: null,
    end_to_end_id: null,
    ...fields,
  };
}

function methodOf(type: NotificationType): PaymentMethod {
  const family = type.slice(0, type.indexOf('.'));
  if (family === 'mandate') return 'pix_recurring';
  return CHARGE_FAMILIES.find((charge) => charge === family) ?? 'credit_card';
}

export interface Delivery {
  /** In place of the right one. */
  readonly signature?: string;
  /** In place of the exact bytes that were signed. */
  readonly body?: string;
  /** Age of the signature. */
  readonly age_ms?: number;
}

/** Posts a notification as the acquirer does. Returns the status of the answer. */
export async function deliver(
  service: TestService,
  notification: WireNotification | WireCardUpdate,
  delivery: Delivery = {},
): Promise<number> {
  const { acquirerSecret } = await localSecrets(service.dataDir);
  const text = JSON.stringify(notification);
  const signature = delivery.signature ?? sign(acquirerSecret, Date.now() - (delivery.age_ms ?? 0), text);
  const response = await fetch(`${service.url}/gateway/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
    body: delivery.body ?? text,
  });
  await response.text();
  return response.status;
}

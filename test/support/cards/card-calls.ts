import assert from 'node:assert/strict';
import type { OnboardedMerchant } from '../../../services/merchants/create-merchant.ts';
import { customerBody } from '../orders/parties.ts';
import type { CallOptions, TestAnswer, TestService } from '../service.ts';
import { encryptCard, type PlainCard } from './cards.ts';

/** A new customer of the service's first merchant, or of another; its id. */
export async function newCustomer(service: TestService, of?: OnboardedMerchant): Promise<string> {
  const { status, body } = await service.call('POST', '/customers', {
    body: customerBody(),
    ...(of && { key: of.apiKey }),
  });
  assert.equal(status, 201);
  return body.id;
}

/** Stores a card, in the AES form of the service's first merchant. */
export function postCard(
  service: TestService,
  customerId: string,
  card: Partial<PlainCard>,
  options: CallOptions = {},
): Promise<TestAnswer> {
  const encrypted = encryptCard(card, service.merchant.encryptionKey);
  return service.call('POST', '/cards', { ...options, body: { customer_id: customerId, encrypted } });
}

/** Stores a card, which must be new. Returns its record. */
export async function newCard(service: TestService, customerId: string, card: Partial<PlainCard>) {
  const { status, body, text } = await postCard(service, customerId, card);
  assert.equal(status, 201, text);
  return body;
}

import { CompactEncrypt, importJWK } from 'jose';
import type { BenchMerchant } from './merchants.ts';
import type { MeasuredProcess } from './processes.ts';

/** A stored card, with its customer. */
export interface StoredCard {
  readonly id: string;
  readonly customerId: string;
}

const CARD = {
  number: '4242424242424242',
  holder: 'ANA SOUZA',
  expMonth: '08',
  expYear: '39',
  securityCode: '123',
};
const HEADER = { alg: 'RSA-OAEP-256', enc: 'A256GCM' };

/**
 * Stores a card for each of these customers through the API of the service, because only its vault can seal a number.
 */
export async function storeCards(
  service: MeasuredProcess,
  { apiKey }: BenchMerchant,
  customerIds: readonly string[],
): Promise<StoredCard[]> {
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`);
    return (await response.json()) as { id: string; jwk: object };
  };
  const { jwk } = await call('/cards/encryption-key');
  const key = await importJWK(jwk, HEADER.alg);
  const document = Buffer.from(JSON.stringify({ cardData: CARD }));
  const cards: StoredCard[] = [];
  for (const customerId of customerIds) {
    const encrypted = await new CompactEncrypt(document).setProtectedHeader(HEADER).encrypt(key);
    const { id } = await call('/cards', { customer_id: customerId, encrypted });
    cards.push({ id, customerId });
  }
  return cards;
}

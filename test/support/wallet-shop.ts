import assert from 'node:assert/strict';
import type { Json, TestAnswer, TestService } from './service.ts';
import { created, type Shop } from './shop.ts';

/** A domain that the shop has registered and verified. */
export async function verifiedDomain(shop: Shop, domain_name = 'loja.wallet.test'): Promise<Json> {
  const { id } = await created(shop.post('/mobile-wallet/domains', { domain_name }));
  const { body } = await shop.post(`/mobile-wallet/domains/${id}/verify`);
  assert.equal(body.status, 'verified');
  return body;
}

/** A validation URL of the sandbox's provider for a domain that the shop has registered. */
export async function validationUrl(shop: Shop, domain_name = 'loja.wallet.test'): Promise<string> {
  return (await created(shop.post('/sandbox/wallet-sessions', { domain_name }))).validationURL;
}

/** What a page of a shop sends. */
export function validateSession(
  service: TestService,
  body: object,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return service.call('POST', '/mobile-wallet/validate-session', { key: null, body, headers });
}

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { customerBody } from '../orders/parties.ts';
import type { Json, TestAnswer, TestService } from '../service.ts';
import { created, type Shop } from '../shop.ts';

/** A domain that the shop has registered and verified. */
export async function verifiedDomain(shop: Shop, domain_name = 'loja.wallet.test'): Promise<Json> {
  const { id } = await created(shop.post('/mobile-wallet/domains', { domain_name }));
  const { body } = await shop.post(`/mobile-wallet/domains/${id}/verify`);
  assert.equal(body.status, 'verified');
  return body;
}

/** A domain for this shop only, because a domain is verified for one account at a time. */
export function domainOf({ account }: Shop): string {
  return `loja-${account}.wallet.test`;
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

/** Malformed tokens of the maximum length, in code points. Their JSON has 1 to 6 bytes for each. */
export const LONG_TOKENS = ['x', '"', '\u0001', 'é', '日', '🎉'].map((character) => character.repeat(16_384));

interface WalletOrder {
  readonly amount?: number;
  /** The number of the card in the wallet. */
  readonly number?: string;
  readonly domain?: string;
}

/** A token of a wallet for a domain that the shop has registered. */
export async function walletToken(shop: Shop, { number, domain }: WalletOrder = {}): Promise<string> {
  const body = { domain_name: domain ?? 'loja.wallet.test', ...(number === undefined ? {} : { number }) };
  return (await created(shop.post('/sandbox/wallet-tokens', body))).browser_wallet_token;
}

/** The body of an order by wallet, with a new token unless `block` has one. */
export async function walletOrderBody(shop: Shop, wanted: WalletOrder = {}, block: Json = {}) {
  const browser_wallet_token = block.browser_wallet_token ?? (await walletToken(shop, wanted));
  return {
    code: randomUUID(),
    mcc: '5734',
    customer: customerBody(),
    payment: {
      amount: wanted.amount ?? 10_000,
      payment_method: 'browser_wallet',
      browser_wallet: { ...block, browser_wallet_token },
    },
  };
}

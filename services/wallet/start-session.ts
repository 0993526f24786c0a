import { findMerchant } from '../../db/merchants/merchants.ts';
import type { DomainOwner } from '../../db/wallet/verified-wallet-domains.ts';
import type { MerchantRecord } from '../../domain/merchants/merchant.ts';
import { cutText } from '../../domain/text.ts';
import { acceptsWallets } from '../../domain/wallet/methods/browser-wallet.ts';
import { readValidationUrl } from '../../domain/wallet/validation-url.ts';
import { readWalletSession, type WalletSession } from '../../domain/wallet/wallet-session.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { findVerifiedOwner } from './owns-domain.ts';
import type { WalletProvider } from './wallet-connections.ts';

/** Wallet providers refuse a longer name. */
const MAX_DISPLAY_NAME_CHARACTERS = 64;

export interface SessionRequest {
  /** As the wallet has given it to the page. Any text. */
  readonly validationUrl: string;
  readonly domainName: string;
}

/**
 * Requests a wallet session for a page of a verified domain. `limit` is called once the domain's owner is known, and
 * may refuse. Nothing is fetched from the domain: the daily check does that. Refusals: `wallet_session_failed`, for
 * example while the account is not approved or has no wallets; `wallet_certificate_missing`.
 */
export async function startWalletSession(
  deps: Deps,
  input: SessionRequest,
  limit: (owner: DomainOwner) => Promise<void>,
): Promise<WalletSession> {
  const domainName = input.domainName.toLowerCase();
  const owner = await findVerifiedOwner(deps, domainName);
  if (owner === undefined) throw sessionFailed('the domain is not registered and verified.');
  await limit(owner);
  const merchant = await findMerchant(deps.db, owner);
  if (merchant === undefined || !acceptsWallets(merchant)) {
    throw sessionFailed('this account does not accept wallet payments at the moment.');
  }
  const { url, provider } = providerOf(deps, input.validationUrl);
  if (provider.identity === null) {
    deps.log.error({ host: url.host }, 'wallet session refused: WALLET_CERTIFICATE is not set');
    throw new Refusal('wallet_certificate_missing', {
      message: 'The certificates for wallet sessions are not configured properly.',
    });
  }
  return requestSession(deps, merchant, { url, provider, domainName });
}

function providerOf(deps: Pick<Deps, 'wallet'>, validationUrl: string) {
  for (const provider of deps.wallet.providers) {
    const url = readValidationUrl(validationUrl, provider.hosts);
    if (url !== null) return { url, provider };
  }
  throw sessionFailed('validationURL is not an address of a wallet provider.');
}

interface ProviderRequest {
  readonly url: URL;
  readonly provider: WalletProvider;
  readonly domainName: string;
}

async function requestSession(
  deps: Deps,
  merchant: MerchantRecord,
  { url, provider, domainName }: ProviderRequest,
): Promise<WalletSession> {
  const call = provider.outgoing.call({
    url: url.href,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      merchantIdentifier: provider.identity!.merchantIdentifier,
      displayName: cutText(merchant.name, MAX_DISPLAY_NAME_CHARACTERS),
      initiative: 'web',
      initiativeContext: domainName,
    }),
  });
  const answer = await deps.upstreamCalls.track(merchant.merchantId, call);
  const session =
    answer.kind === 'answer' && answer.status === 200 && !answer.isCut
      ? readWalletSession(parsed(answer.body), domainName)
      : null;
  if (session !== null) return session;
  const reason = answer.kind === 'failed' ? answer.code : `status ${answer.status}`;
  const fields = { merchant_id: merchant.merchantId, domain_name: domainName, host: url.host, reason };
  deps.log.warn(fields, 'wallet provider gave no session');
  throw sessionFailed('the wallet provider gave no session. The validationURL may have expired.');
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function sessionFailed(why: string): Refusal {
  return new Refusal('wallet_session_failed', { message: `The wallet session validation failed: ${why}` });
}

import { findWalletDomainByName } from '../../db/wallet/wallet-domains.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { callSandbox } from '../call-sandbox.ts';
import type { Deps, Finish } from '../deps.ts';
import { invalid } from '../refusal.ts';

/**
 * Returns a validation URL of the sandbox's wallet provider, as a wallet gives it to a page of the domain. It works
 * once, for five minutes. Refusals: `domainName` that the merchant has not registered; `unavailable`.
 */
export async function createWalletSession<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: { readonly domainName: string },
  finish: Finish<{ readonly validationUrl: string }, Answer>,
): Promise<Answer> {
  const { domainName } = await requireDomain(deps, merchant, input.domainName);
  const account = merchant.merchantId;
  const session = await callSandbox(deps, (sandbox) => sandbox.createWalletSession(account, domainName));
  return deps.db.transaction(merchant, (tx) => finish(tx, session));
}

/** Refuses `domainName` unless the merchant has registered it. */
export async function requireDomain(deps: Deps, merchant: Merchant, name: string) {
  const domain = await findWalletDomainByName(deps.db, merchant, name.toLowerCase());
  if (domain === undefined) throw invalid({ domainName: 'You have not registered this domain.' });
  return domain;
}

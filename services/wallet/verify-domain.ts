import { findWalletDomain as findRow } from '../../db/wallet/wallet-domains.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { WalletDomain } from '../../domain/wallet/wallet-domain.ts';
import type { Deps, Finish } from '../deps.ts';
import { checkWalletDomain } from './check-domain.ts';
import { findWalletDomain, noSuchDomain } from './find-domain.ts';

/** Checks a domain for its merchant. The result is its status. Refusals: `not_found`, `unavailable`. */
export async function verifyWalletDomain<Answer>(
  deps: Deps,
  merchant: Merchant,
  id: string,
  finish: Finish<WalletDomain, Answer>,
): Promise<Answer> {
  const domain = await findWalletDomain(deps, merchant, id);
  const checked = await checkWalletDomain(deps, merchant, domain, 'merchant');
  if (checked === undefined) throw noSuchDomain();
  return deps.db.transaction(merchant, (tx) => finish(tx, checked));
}

/** Checks a domain again. Does nothing if it was deleted. */
export async function recheckWalletDomain(deps: Deps, scope: MerchantScope, id: string): Promise<void> {
  const domain = await findRow(deps.db, scope, id);
  if (domain !== undefined) await checkWalletDomain(deps, scope, domain, 'clock');
}

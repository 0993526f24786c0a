import { findDomainOwner } from '../../db/wallet/verified-wallet-domains.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { domainKey } from './domain-key.ts';

/** Whether the merchant has the domain verified. */
export async function ownsDomain(
  deps: Pick<Deps, 'db'>,
  { merchantId }: MerchantScope,
  domainName: string,
): Promise<boolean> {
  const owner = await findDomainOwner(deps.db, domainKey(domainName.toLowerCase()));
  return owner?.merchantId === merchantId;
}

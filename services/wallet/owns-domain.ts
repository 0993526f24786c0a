import { type DomainOwner, findDomainOwner } from '../../db/wallet/verified-wallet-domains.ts';
import { findWalletDomain } from '../../db/wallet/wallet-domains.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { domainKey } from './domain-key.ts';

/**
 * Who has the domain verified; undefined if nobody has. The directory alone is not enough: a check that was interrupted
 * can have written it, and a later check can have failed.
 */
export async function findVerifiedOwner(
  { db }: Pick<Deps, 'db'>,
  domainName: string,
): Promise<DomainOwner | undefined> {
  const owner = await findDomainOwner(db, domainKey(domainName.toLowerCase()));
  if (owner === undefined) return undefined;
  const domain = await findWalletDomain(db, owner, owner.domainId);
  return domain?.status === 'verified' ? owner : undefined;
}

/** Whether the merchant has the domain verified. */
export async function ownsDomain(
  deps: Pick<Deps, 'db'>,
  { merchantId }: MerchantScope,
  domainName: string,
): Promise<boolean> {
  const owner = await findVerifiedOwner(deps, domainName);
  return owner?.merchantId === merchantId;
}

import { removeDomainOwner } from '../../db/wallet/verified-wallet-domains.ts';
import { deleteWalletDomain as deleteRow } from '../../db/wallet/wallet-domains.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps, Finish } from '../deps.ts';
import { domainKey } from './domain-key.ts';
import { findWalletDomain, noSuchDomain } from './find-domain.ts';

/**
 * Deletes a domain, which gets no more sessions. The directory is first, because it is in another slot: if the process
 * dies in between, the deletion can be repeated. Refusal: `not_found`.
 */
export async function deleteWalletDomain<Answer>(
  deps: Deps,
  merchant: Merchant,
  id: string,
  finish: Finish<void, Answer>,
): Promise<Answer> {
  const domain = await findWalletDomain(deps, merchant, id);
  const removeFromDirectory = () => removeDomainOwner(deps.db, domainKey(domain.domainName), domain.id);
  await removeFromDirectory();
  const answer = await deps.db.transaction(merchant, async (tx) => {
    if (!(await deleteRow(tx, merchant, domain.id))) throw noSuchDomain();
    return finish(tx, undefined);
  });
  // A check may have verified it in between.
  await removeFromDirectory();
  return answer;
}

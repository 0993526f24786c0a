import {
  claimDueWalletDomains,
  type DueWalletDomain,
  slotsWithDueWalletDomains,
} from '../../db/wallet/wallet-domains.ts';
import type { Deps } from '../../services/deps.ts';
import { recheckWalletDomain } from '../../services/wallet/verify-domain.ts';
import type { Work } from '../work-loop.ts';

/** Longer than a check takes. Then another process may check the domain. */
const LEASE_MS = 60_000;
const CONCURRENCY = 16;

/** Verified domains whose daily check is due. */
export function walletDomainsToCheck(deps: Deps): Work<DueWalletDomain> {
  return {
    lease_ms: LEASE_MS,
    findSlots: (wall) => slotsWithDueWalletDomains(deps.db, wall),
    claim: (slot, claim) => claimDueWalletDomains(deps.db, slot, claim),
    run: async ({ domainId, ...scope }) => {
      await recheckWalletDomain(deps, scope, domainId);
      return true;
    },
    // The domain is claimed again when its lease ends.
    failure: ({ domainId }) => ({
      message: 'checking a wallet domain failed',
      fields: { domain_id: domainId },
    }),
    concurrency: CONCURRENCY,
  };
}

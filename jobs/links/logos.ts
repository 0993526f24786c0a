import { claimDueLogos, type DueLogo, slotsWithDueLogos } from '../../db/links/logos.ts';
import type { Deps } from '../../services/deps.ts';
import { fetchLogo } from '../../services/links/fetch-logo.ts';
import type { Work } from '../work-loop.ts';

/** Longer than a call takes. Then another process may fetch the logo. */
const LEASE_MS = 60_000;
/** Logos fetched at a time, each of which takes up to 512 KiB of memory. */
const CONCURRENCY = 8;

/** Logos of payment links that are due to be fetched. */
export function dueLogos(deps: Deps): Work<DueLogo> {
  return {
    lease_ms: LEASE_MS,
    concurrency: CONCURRENCY,
    findSlots: (wall) => slotsWithDueLogos(deps.db, wall),
    claim: (slot, claim) => claimDueLogos(deps.db, slot, claim),
    run: (due) => fetchLogo(deps, due),
    failure: ({ url }) => ({ message: 'fetching a logo failed', fields: { host: new URL(url).host } }),
  };
}

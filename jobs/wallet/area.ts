import { MINUTE_MS } from '../../domain/durations.ts';
import type { Area } from '../area.ts';
import { slotJob } from '../slot-job.ts';
import { walletDomainsToCheck } from './check-domains.ts';

/** A reset of the sandbox keeps the domains. */
export const wallet: Area = {
  jobs: (deps) => [
    slotJob(deps, { name: 'check wallet domains', interval_ms: MINUTE_MS }, walletDomainsToCheck(deps)),
  ],
};

import type { SubscriptionPace } from './pace.ts';
import { type Renewals, renew } from './renewals.ts';
import type { SubscriptionSetup } from './setup.ts';

/** Due cycles of a single merchant. */
export interface OfOneMerchant {
  readonly workers: number;
  readonly renewals: Renewals;
}

/** Measures the same number of due cycles of one merchant with one worker and with two. */
export async function ofOneMerchant(
  setup: SubscriptionSetup,
  pace: SubscriptionPace,
): Promise<OfOneMerchant[]> {
  const due = { count: pace.dueOfOne, hasHistory: true, merchantIds: [setup.merchants[0]!.merchantId] };
  const results: OfOneMerchant[] = [];
  for (const workers of [setup.workers.slice(0, 1), setup.workers])
    results.push({ workers: workers.length, renewals: await renew(setup, pace, { ...due, workers }) });
  return results;
}

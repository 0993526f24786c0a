import { addDays } from '../../../domain/business-days.ts';
import type { SubscriptionPace } from './pace.ts';
import { medianRenewals, type Renewals, renew } from './renewals.ts';
import { addSubscriptions, lastChargeDay } from './rows.ts';
import type { SubscriptionSetup } from './setup.ts';

/** Due cycles among subscriptions that are not due. */
export interface AmongOthers {
  readonly notDue: number;
  readonly renewals: Renewals;
}

const LATER_DAYS = 10;

/** Measures the same number of due cycles among few and among many subscriptions that are not due. */
export async function amongOthers(setup: SubscriptionSetup, pace: SubscriptionPace): Promise<AmongOthers[]> {
  const merchantIds = setup.merchants.map(({ merchantId }) => merchantId);
  const dueOn = addDays(lastChargeDay(), LATER_DAYS);
  const results: AmongOthers[] = [];
  let present = 0;
  for (const notDue of pace.notDue) {
    const count = notDue - present;
    const name = `later-${notDue}`;
    await addSubscriptions(setup.pool, setup.template, {
      merchantIds,
      count,
      dueOn,
      name,
      hasHistory: false,
    });
    present = notDue;
    const runs: Renewals[] = [];
    for (let run = 0; run < pace.runsAmong; run += 1)
      runs.push(await renew(setup, pace, { count: pace.dueAmong, hasHistory: false }));
    results.push({ notDue, renewals: medianRenewals(runs) });
  }
  return results;
}

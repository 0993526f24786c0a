import { lockPlan } from '../../db/merchants/merchant-plan.ts';
import { hasLiveSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { MerchantRecord } from '../../domain/merchants/merchant.ts';
import { hasSubscriptions } from '../../domain/merchants/plans.ts';
import type { Deps } from '../deps.ts';
import { changeMerchant, type MerchantSettings } from '../merchants/change-merchant.ts';
import { notInThisState } from '../refusal.ts';

/**
 * Changes a merchant as `changeMerchant` does. Also refuses, with `wrong_state`, a plan without subscriptions while one
 * of the merchant's is neither canceled nor ended: its buyer would be charged, and the merchant could not cancel it.
 * Subscriptions that begin at the same moment are counted, or refused (`requireSubscriptions`).
 */
export async function changeSettings(
  deps: Pick<Deps, 'db' | 'vault' | 'wall'>,
  merchantId: string,
  settings: MerchantSettings,
): Promise<MerchantRecord> {
  const { plan } = settings;
  if (plan === undefined || hasSubscriptions({ plan })) return changeMerchant(deps, merchantId, settings);
  return changeMerchant(deps, merchantId, settings, async (tx, merchant) => {
    const losesSubscriptions = hasSubscriptions({ plan: await lockPlan(tx, merchant) });
    if (losesSubscriptions && (await hasLiveSubscription(tx, merchant))) {
      throw notInThisState(
        `The plan ${plan} has no subscriptions, and the merchant has some that are not canceled. Cancel them first.`,
      );
    }
  });
}

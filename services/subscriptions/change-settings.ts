import { lockPlan } from '../../db/merchants/merchant-plan.ts';
import { hasLiveSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { MerchantRecord } from '../../domain/merchants/merchant.ts';
import { hasSubscriptions } from '../../domain/merchants/plans.ts';
import type { Deps } from '../deps.ts';
import { changeMerchant, type MerchantSettings } from '../merchants/change-merchant.ts';
import { notInThisState } from '../refusal.ts';

/**
 * Changes a merchant as `changeMerchant` does. Refuses a plan without subscriptions (`wrong_state`) while the merchant
 * has a subscription that is neither canceled nor ended: its buyer would still be charged, and the merchant could not
 * cancel it. A subscription that begins at the same moment is either counted here or refused by `requireSubscriptions`.
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
        `The plan ${plan} does not include subscriptions, and the merchant has some that are not canceled. Cancel them first.`,
      );
    }
  });
}

import { findMerchantById } from '../../db/merchants/merchants.ts';
import { hasLiveSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { MerchantRecord } from '../../domain/merchants/merchant.ts';
import { hasSubscriptions } from '../../domain/merchants/plans.ts';
import type { Deps } from '../deps.ts';
import { changeMerchant, type MerchantSettings } from '../merchants/change-merchant.ts';
import { notInThisState } from '../refusal.ts';

/**
 * Changes a merchant as `changeMerchant` does. Also refuses, with `wrong_state`, a plan without subscriptions while one of
 * the merchant's is neither canceled nor ended: its buyer would be charged, and the merchant could not cancel it. A
 * subscription that is created at the same moment may not be seen; the operator can then set the former plan again.
 */
export async function changeSettings(
  deps: Pick<Deps, 'db' | 'vault' | 'wall'>,
  merchantId: string,
  settings: MerchantSettings,
): Promise<MerchantRecord> {
  const merchant = await findMerchantById(deps.db, merchantId);
  const losesSubscriptions =
    merchant !== undefined &&
    settings.plan !== undefined &&
    hasSubscriptions(merchant) &&
    !hasSubscriptions({ plan: settings.plan });
  if (losesSubscriptions && (await hasLiveSubscription(deps.db, merchant))) {
    throw notInThisState(
      `The plan ${settings.plan} has no subscriptions, and the merchant has some that are not canceled. Cancel them first.`,
    );
  }
  return changeMerchant(deps, merchantId, settings);
}

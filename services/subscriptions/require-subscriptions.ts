import { lockPlanShared } from '../../db/merchants/merchant-plan.ts';
import { hasSubscriptions } from '../../domain/merchants/plans.ts';
import { requireOpen } from '../checkout/checkout-rules.ts';
import type { TransactionContext } from '../deps.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refuses to begin or to reactivate a subscription if the merchant's plan has none. The plan may have changed since the
 * request was permitted. After this check, it cannot change to one without subscriptions until the transaction ends
 * (`changeSettings`). Call it after all other locks, because a reset of the sandbox locks the account last too.
 * Refusals: `api_key_not_allowed`; `wrong_state` for a buyer at a checkout page.
 */
export async function requireSubscriptions(
  { tx, merchant }: Pick<TransactionContext, 'tx' | 'merchant'>,
  by: 'merchant' | 'buyer',
): Promise<void> {
  if (hasSubscriptions({ plan: await lockPlanShared(tx, merchant) })) return;
  if (by === 'buyer') requireOpen({ problem: 'unavailable' });
  throw new Refusal('api_key_not_allowed', {
    message: 'The plan of this account does not include subscriptions.',
  });
}

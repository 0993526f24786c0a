import { keepPlan } from '../../db/merchants/merchant-plan.ts';
import { hasSubscriptions } from '../../domain/merchants/plans.ts';
import { requireOpen } from '../checkout/checkout-rules.ts';
import type { TransactionContext } from '../deps.ts';
import { Refusal } from '../refusal.ts';

/**
 * Refuses a subscription that would begin, or begin again, under a plan without subscriptions. The request was
 * permitted by the plan of a moment before; from now until the end of the transaction, the plan cannot lose them
 * (`changeSettings`). Called after the other locks: a reset of the sandbox locks the account last too. Refusals:
 * `api_key_not_allowed`; `wrong_state` for a buyer at a checkout page.
 */
export async function requireSubscriptions(
  { tx, merchant }: Pick<TransactionContext, 'tx' | 'merchant'>,
  by: 'merchant' | 'buyer',
): Promise<void> {
  if (hasSubscriptions({ plan: await keepPlan(tx, merchant) })) return;
  if (by === 'buyer') requireOpen({ problem: 'unavailable' });
  throw new Refusal('api_key_not_allowed', {
    message: 'The plan of this account does not include subscriptions.',
  });
}

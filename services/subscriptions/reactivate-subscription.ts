import { lockUndeletedCard } from '../../db/cards/cards.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { reactivateBilling, reactivationProblem } from '../../domain/subscriptions/reactivate-billing.ts';
import type { ShownSubscription } from '../../domain/subscriptions/subscription.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { notInThisState, requireRow } from '../refusal.ts';
import { findSubscription } from './find-subscription.ts';
import { moveSubscription } from './move-subscription.ts';
import { requireSubscriptions } from './require-subscriptions.ts';
import { showSubscriptions } from './shown-subscription.ts';

/**
 * Reactivates a canceled subscription whose paid period has not ended. The next charge keeps its date; an overdue cycle
 * is charged at the next billing step. Refusals: `not_found`, `wrong_state`.
 */
export async function reactivateSubscription<Answer>(
  deps: Deps,
  merchant: Merchant,
  identifier: string,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  const { id } = await findSubscription(deps.db, merchant, identifier);
  return deps.db.transaction(merchant, async (tx) => {
    const subscription = requireRow(await lockSubscription(tx, merchant, id));
    await requireSubscriptions({ tx, merchant }, 'merchant');
    const { billing, cardId } = subscription;
    const at = now(deps, merchant);
    const problem = reactivationProblem(billing, at);
    if (problem !== null) throw notInThisState(problem);
    if (cardId !== null && !(await lockUndeletedCard(tx, merchant, cardId))) {
      throw notInThisState('The card of the subscription was deleted.');
    }
    const change = reactivateBilling(billing, at);
    const active = await moveSubscription({ deps, tx, merchant }, subscription, change, { at });
    const [shown] = await showSubscriptions(tx, merchant, [active]);
    return finish(tx, shown!);
  });
}

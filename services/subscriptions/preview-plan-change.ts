import { insertPlanPreview } from '../../db/subscriptions/plan-previews.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { expiryOfPreview } from '../../domain/subscriptions/plan-preview.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { findOffer } from '../products/find-offer.ts';
import { requireRow } from '../refusal.ts';
import { findSubscription } from './find-subscription.ts';
import {
  type ChangedPlan,
  changedPlan,
  type PlanChangeRequest,
  planOfOffer,
  quoteChange,
} from './plan-change-request.ts';

/** How long a preview is stored (wall time). */
const KEPT_MS = DAY_MS;

/** The figures of a change, and the preview that promises them. */
export interface PreviewedPlan extends ChangedPlan {
  readonly previewId: string;
  /** Merchant's time. */
  readonly expiresAt: Date;
}

/**
 * Computes a change of the plan, and stores its figures for a change that names them. Refusals: those of the change.
 */
export async function previewPlanChange<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, identifier, offerId, effective }: PlanChangeRequest & { readonly id: string },
  finish: Finish<PreviewedPlan, Answer>,
): Promise<Answer> {
  const { id: subscriptionId } = await findSubscription(deps.db, merchant, identifier);
  const plan = planOfOffer(await findOffer(deps, merchant, offerId));
  return deps.db.transaction(merchant, async (tx) => {
    const subscription = requireRow(await lockSubscription(tx, merchant, subscriptionId));
    const quote = quoteChange(deps, merchant, subscription, { plan, effective });
    const createdAt = now(deps, merchant);
    const preview = { id, subscriptionId, offerId: plan.offerId!, plan, effective, quote, createdAt };
    const keptUntil = new Date(deps.wall().getTime() + KEPT_MS);
    await insertPlanPreview(tx, merchant, { ...preview, keptUntil });
    return finish(tx, {
      ...changedPlan(subscription, plan, effective, quote),
      previewId: id,
      expiresAt: expiryOfPreview(preview),
    });
  });
}

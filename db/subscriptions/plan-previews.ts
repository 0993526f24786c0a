import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { PlanChangeTime } from '../../domain/subscriptions/plan-change.ts';
import type { PlanPreview, PreviewedTerms } from '../../domain/subscriptions/plan-preview.ts';
import type { Queryable, Tx } from '../engine/database.ts';

interface PlanPreviewRow {
  offer_id: string;
  plan: PreviewedTerms | null;
  effective: PlanChangeTime;
  delta_centavos: number;
  next_charge_on: string;
  next_charge_amount_centavos: number;
  created_at: Date;
}

export interface NewPlanPreview extends PlanPreview {
  readonly id: string;
  readonly subscriptionId: string;
  /** Wall time. */
  readonly keptUntil: Date;
}

/** Writes a preview. Does nothing if an earlier run of the request has written it. */
export async function insertPlanPreview(
  tx: Tx,
  scope: MerchantScope,
  { id, subscriptionId, offerId, plan, effective, quote, createdAt, keptUntil }: NewPlanPreview,
): Promise<void> {
  await tx.execute(
    scope,
    `insert into plan_previews (slot, merchant_id, id, subscription_id, offer_id, plan, effective, delta_centavos,
       next_charge_on, next_charge_amount_centavos, created_at, kept_until)
     values (:slot, :merchant_id, :id, :subscription_id, :offer_id, :plan, :effective, :delta_centavos, :next_charge_on,
       :next_charge_amount_centavos, :created_at, :kept_until)
     on conflict do nothing`,
    {
      id,
      subscription_id: subscriptionId,
      offer_id: offerId,
      plan: plan && JSON.stringify({ interval: plan.interval, ladder: plan.ladder }),
      effective,
      delta_centavos: quote.delta_centavos,
      next_charge_on: quote.nextChargeOn,
      next_charge_amount_centavos: quote.nextChargeAmount_centavos,
      created_at: createdAt,
      kept_until: keptUntil,
    },
  );
}

/** A preview of this subscription by its id. */
export async function findPlanPreview(
  q: Queryable,
  scope: MerchantScope,
  { id, subscriptionId }: { readonly id: string; readonly subscriptionId: string },
): Promise<PlanPreview | undefined> {
  if (!isCanonicalUuid(id)) return undefined;
  const row = await q.maybeOne<PlanPreviewRow>(
    scope,
    `select offer_id, plan, effective, delta_centavos, next_charge_on, next_charge_amount_centavos, created_at
       from plan_previews where {scope} and id = :id and subscription_id = :subscription_id`,
    { id: normalizeUuid(id), subscription_id: subscriptionId },
  );
  return row && toPlanPreview(row);
}

function toPlanPreview(row: PlanPreviewRow): PlanPreview {
  return {
    offerId: row.offer_id,
    plan: row.plan,
    effective: row.effective,
    quote: {
      delta_centavos: row.delta_centavos,
      nextChargeOn: row.next_charge_on,
      nextChargeAmount_centavos: row.next_charge_amount_centavos,
    },
    createdAt: row.created_at,
  };
}

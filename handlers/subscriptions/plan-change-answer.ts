import type { components } from '../../generated/types.ts';
import type { ChangedPlan } from '../../services/subscriptions/plan-change-request.ts';

/** A change of the plan as in the contract. */
export function planChangeAnswer(
  changed: ChangedPlan,
  prorationPaymentId: string | null,
): components['schemas']['PlanChangeFigures'] {
  return {
    id: changed.subscriptionId,
    plan_id: changed.plan.offerId!,
    effective: changed.effective,
    delta: changed.delta_centavos,
    next_charge_at: changed.nextChargeOn,
    next_charge_amount: changed.nextChargeAmount_centavos,
    interval: changed.plan.interval,
    proration_payment_id: prorationPaymentId,
  };
}

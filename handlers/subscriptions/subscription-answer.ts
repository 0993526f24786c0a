import { utcMicros } from '../../domain/local-time.ts';
import type { Plan } from '../../domain/subscriptions/billing.ts';
import type { ShownSubscription } from '../../domain/subscriptions/subscription.ts';
import type { components } from '../../generated/types.ts';
import type { Deps } from '../../services/deps.ts';
import { paymentAnswer } from '../payments/payment-answer.ts';

type SubscriptionAnswer = components['schemas']['Subscription'];

/** A subscription as in the contract. Events store this form. */
export function subscriptionAnswer(
  deps: Pick<Deps, 'checkoutBaseUrl'>,
  shown: ShownSubscription,
): SubscriptionAnswer {
  const { subscription, payment, pendingPlan, requestedPlan, fee } = shown;
  return {
    id: subscription.id,
    code: subscription.code,
    status: subscription.billing.status,
    customer_id: subscription.customerId,
    payment_method: subscription.billing.method,
    card_id: subscription.cardId,
    mcc: subscription.mcc,
    description: subscription.description,
    notification_url: subscription.notificationUrl,
    items: subscription.items.map((item) => ({ ...item })),
    payment_link_id: subscription.paymentLinkId,
    ...planAnswer(subscription.billing.plan),
    pending_plan: pendingPlan && planAnswer(pendingPlan),
    requested_plan: requestedPlan && planAnswer(requestedPlan),
    ...dates(shown),
    fee: {
      basis_points: fee.basisPoints,
      fixed_amount: fee.fixed_centavos,
      amount: payment?.fee_centavos ?? null,
    },
    payment: payment && paymentAnswer(deps, payment),
    created_at: utcMicros(subscription.createdAt),
    updated_at: utcMicros(subscription.updatedAt),
  };
}

function planAnswer({ offerId, interval, ladder }: Plan): components['schemas']['SubscriptionPlan'] {
  return {
    offer_id: offerId,
    interval,
    ladder: ladder.map(({ start, end, amount_centavos }) => ({ start, end, amount: amount_centavos })),
  };
}

function dates({ subscription, nextCharge: next }: ShownSubscription) {
  const { billing, canceledAt, endedAt } = subscription;
  return {
    start_at: utcMicros(subscription.startAt),
    trial_days: billing.trialDays,
    best_charge_day: subscription.bestChargeDay,
    current_cycle: billing.paidCycles,
    successful_charges: billing.paidCycles,
    next_charge_at: next?.on ?? null,
    next_charge_amount: next?.amount_centavos ?? null,
    credit_balance: billing.credit_centavos,
    canceled_at: canceledAt && utcMicros(canceledAt),
    cancellation_reason: subscription.cancellationReason,
    ends_at: billing.endsAt && utcMicros(billing.endsAt),
    ended_at: endedAt && utcMicros(endedAt),
  };
}

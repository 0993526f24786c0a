import { utcMicros } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { components } from '../../generated/types.ts';
import type { Deps } from '../../services/deps.ts';
import type { BuyersSubscription } from '../../services/subscriptions/find-checkout-subscription.ts';
import { checkoutPaymentAnswer } from './checkout-payment-answer.ts';

type CheckoutSubscription = components['schemas']['CheckoutSubscription'];

/** A subscription as its buyer sees it, as in the contract. Contains no data of the stored customer. */
export function checkoutSubscriptionAnswer(
  deps: Deps,
  merchant: Merchant,
  { subscription, payment, nextCharge, accessEndsAt, card, pageHash }: BuyersSubscription,
): CheckoutSubscription {
  const { billing } = subscription;
  const liveSubscription = billing.status === 'ended' ? null : subscription.code;
  const kind = subscription.paymentLinkId === null ? 's' : 'l';
  return {
    hash: subscription.code,
    checkout_url: `${deps.checkoutBaseUrl()}/${kind}/${pageHash}`,
    status: billing.status,
    interval: billing.plan.interval,
    trial_days: billing.trialDays,
    payment_method: billing.method as CheckoutSubscription['payment_method'],
    credit_card: card && { brand: card.brand, last_4: card.last4 },
    next_charge_at: nextCharge?.on ?? null,
    next_charge_amount: nextCharge?.charged_centavos ?? null,
    ends_at: accessEndsAt && utcMicros(accessEndsAt),
    payment: payment && checkoutPaymentAnswer(deps, merchant, payment, { hash: pageHash, liveSubscription }),
    created_at: utcMicros(subscription.createdAt),
  };
}

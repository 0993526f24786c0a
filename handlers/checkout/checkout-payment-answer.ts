import { utcMicros } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { CheckoutMethod } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { components } from '../../generated/types.ts';
import { shownOutcome, shownStatementDescriptor } from '../../services/checkout/shown-checkout.ts';
import { type Deps, now } from '../../services/deps.ts';
import { buyerBlock } from '../payments/methods/index.ts';

type CheckoutPayment = components['schemas']['CheckoutPayment'];

/** Where a buyer made a payment. */
interface PaymentPage {
  /** The hash of the payment link or the offer. */
  readonly hash: string;
  /** The code of the payment's subscription; null for other payments, and after the subscription has ended. */
  readonly liveSubscription: string | null;
}

/** A payment as its buyer sees it, as in the contract. Contains no data of the stored customer. */
export function checkoutPaymentAnswer(
  deps: Deps,
  merchant: Merchant,
  payment: Payment<CheckoutMethod>,
  page: PaymentPage,
): CheckoutPayment {
  const { status, refusal, paidAt } = shownOutcome(payment);
  const { captured_centavos, amount_centavos } = payment;
  return {
    hash: payment.hash,
    checkout_url: checkoutUrl(deps, payment, page),
    status,
    amount: captured_centavos > 0 ? captured_centavos : amount_centavos,
    interest_amount: payment.interest_centavos,
    refunded_amount: payment.refunded_centavos,
    currency: payment.currency as CheckoutPayment['currency'],
    payment_method: payment.method,
    installments: payment.installments,
    statement_descriptor: shownStatementDescriptor(payment),
    ...buyerBlock(deps, payment, now(deps, merchant)),
    refusal: refusal as CheckoutPayment['refusal'],
    paid_at: paidAt && utcMicros(paidAt),
    created_at: utcMicros(payment.createdAt),
    updated_at: utcMicros(payment.updatedAt),
  };
}

/**
 * The page of a payment link, of an offer that is paid once, or of a recurring offer. The charge of a subscription has
 * the page of the subscription: a buyer who subscribed again would be charged twice.
 */
function checkoutUrl(
  deps: Pick<Deps, 'checkoutBaseUrl'>,
  { paymentLinkId, subscriptionId }: Payment,
  { hash, liveSubscription }: PaymentPage,
): string {
  if (liveSubscription !== null) return `${deps.checkoutBaseUrl()}/a/${liveSubscription}`;
  const kind = paymentLinkId !== null ? 'l' : subscriptionId === null ? 'c' : 's';
  return `${deps.checkoutBaseUrl()}/${kind}/${hash}`;
}

import type { InstallmentTerms, InterestTable } from '../installments.ts';
import { SUBSCRIPTION_METHODS } from '../links/link-methods.ts';
import { isAddressRequired, type PaymentLink } from '../links/payment-link.ts';
import { paymentLinkStatus } from '../links/payment-link-status.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { hasSubscriptions } from '../merchants/plans.ts';
import { CHECKOUT_METHODS, type CheckoutMethod } from '../payments/methods/index.ts';
import type { Offer, OfferInterval } from '../products/offer.ts';
import type { PriceBand } from '../products/price-ladder.ts';
import type { Product } from '../products/product.ts';

/**
 * Why nothing can be paid at a checkout page. `taken`: payments that are not paid yet use all places that are left.
 * `unavailable`: the merchant is not approved, has none of the payment methods any more, or would sell a subscription
 * that its plan does not have.
 */
export type CheckoutProblem = 'disabled' | 'expired' | 'exhausted' | 'taken' | 'archived' | 'unavailable';

/** What a buyer who subscribes at a page is charged, and how often. */
export interface Recurrence {
  readonly interval: OfferInterval;
  readonly trialDays: number;
  readonly ladder: readonly PriceBand[];
}

/** What a buyer can pay at the page of a payment link or of an offer, and how. */
export interface Checkout {
  readonly hash: string;
  readonly paymentLinkId: string | null;
  readonly offerId: string | null;
  readonly title: string;
  readonly description: string | null;
  /** Null if the buyer types the amount. */
  readonly amount_centavos: number | null;
  readonly methods: readonly CheckoutMethod[];
  readonly installments: InstallmentTerms;
  /** False: a credit card is authorized, and captured later. */
  readonly cardCapture: boolean;
  readonly boletoExpirationDays: number;
  readonly pixExpirationMinutes: number;
  readonly collectPhone: boolean;
  readonly requireAddress: boolean;
  readonly softDescriptor: string | null;
  readonly brandColor: string | null;
  /** Null if the buyer pays once. */
  readonly recurrence: Recurrence | null;
  /** Null if the buyer can pay. */
  readonly problem: CheckoutProblem | null;
}

/** The least amount that a buyer can type (contract row 13.14). */
export const MIN_TYPED_CENTAVOS = 500;

type Seller = Pick<Merchant, 'status' | 'plan' | 'paymentMethods' | 'mccs' | 'currencies'>;

/** The checkout of a payment link at an instant of the merchant's clock. */
export function checkoutOfLink(
  link: PaymentLink,
  {
    merchant,
    interest,
    at,
  }: { readonly merchant: Seller; readonly interest: InterestTable; readonly at: Date },
): Checkout {
  const methods = enabled(
    merchant,
    link.recurrenceInterval === null ? link.paymentMethods : SUBSCRIPTION_METHODS,
  );
  const status = paymentLinkStatus(link, at);
  return {
    ...link,
    paymentLinkId: link.id,
    offerId: null,
    methods,
    installments: {
      maxInstallments: link.recurrenceInterval === null ? link.maxInstallments : 1,
      interestFreeInstallments: link.interestMode === 'none' ? null : link.interestFreeInstallments,
      interest,
    },
    requireAddress: isAddressRequired(link),
    recurrence: link.recurrenceInterval && {
      interval: link.recurrenceInterval,
      trialDays: link.recurrenceTrialDays ?? 0,
      // A recurring link has a fixed amount.
      ladder: [{ start: 1, end: null, amount_centavos: link.amount_centavos! }],
    },
    problem:
      status === 'active'
        ? (availability(merchant, methods, link.recurrenceInterval) ?? (isTaken(link) ? 'taken' : null))
        : status,
  };
}

function isTaken({ maxPayments, paymentsCount, paymentsUnderWay }: PaymentLink): boolean {
  return maxPayments !== null && paymentsCount + paymentsUnderWay >= maxPayments;
}

const ONE_PAYMENT: InstallmentTerms = { maxInstallments: 1, interestFreeInstallments: null, interest: {} };

/** The checkout of an offer. */
export function checkoutOfOffer(offer: Offer, product: Product, merchant: Seller): Checkout {
  const methods = enabled(merchant, offer.type === 'one_time' ? CHECKOUT_METHODS : SUBSCRIPTION_METHODS);
  return {
    hash: offer.hash,
    paymentLinkId: null,
    offerId: offer.id,
    title: product.name,
    description: offer.name,
    amount_centavos: offer.cycles[0]?.amount_centavos ?? offer.amount_centavos,
    methods,
    installments: ONE_PAYMENT,
    cardCapture: true,
    boletoExpirationDays: 3,
    pixExpirationMinutes: 30,
    collectPhone: false,
    requireAddress: false,
    softDescriptor: null,
    brandColor: null,
    recurrence: offer.interval && {
      interval: offer.interval,
      trialDays: offer.trialDays,
      ladder: offer.cycles,
    },
    problem: offer.state === 'archived' ? 'archived' : availability(merchant, methods, offer.interval),
  };
}

function enabled(merchant: Seller, methods: readonly CheckoutMethod[]): readonly CheckoutMethod[] {
  return methods.filter((method) => merchant.paymentMethods.includes(method));
}

function availability(
  merchant: Seller,
  methods: readonly CheckoutMethod[],
  interval: OfferInterval | null,
): CheckoutProblem | null {
  const { status, mccs, currencies } = merchant;
  if (interval !== null && !hasSubscriptions(merchant)) return 'unavailable';
  const isApproved = status === 'approved' && mccs.length > 0 && currencies.includes('BRL');
  const canSell = isApproved && methods.length > 0;
  return canSell ? null : 'unavailable';
}

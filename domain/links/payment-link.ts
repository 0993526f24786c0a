import type { CheckoutMethod } from '../payments/methods/index.ts';
import type { OfferInterval } from '../products/offer.ts';
import { needsAddress } from './link-methods.ts';

/** The settings of a payment link. */
export interface PaymentLinkSettings {
  readonly title: string;
  readonly description: string | null;
  readonly amountType: 'fixed' | 'customer_defined';
  /** Null if the buyer enters the amount. */
  readonly amount_centavos: number | null;
  readonly paymentMethods: readonly CheckoutMethod[];
  readonly maxInstallments: number;
  /** `installments`: the buyer pays interest by the merchant's table. */
  readonly interestMode: 'none' | 'installments';
  /** Up to this number of installments, there is no interest. */
  readonly interestFreeInstallments: number;
  /** False: a card is authorized, and captured later. */
  readonly cardCapture: boolean;
  readonly boletoExpirationDays: number;
  readonly pixExpirationMinutes: number;
  /** By the merchant's clock. */
  readonly expiresAt: Date | null;
  readonly maxPayments: number | null;
  readonly collectPhone: boolean;
  /** As the merchant has set it. `isAddressRequired` has the result. */
  readonly requireAddress: boolean;
  readonly softDescriptor: string | null;
  readonly notificationUrl: string | null;
  readonly sendEmailReceipt: boolean;
  readonly logoUrl: string | null;
  readonly brandColor: string | null;
  /** Every payment starts a subscription with this interval. */
  readonly recurrenceInterval: OfferInterval | null;
  readonly recurrenceTrialDays: number | null;
}

/** The merchant's own switch. */
export type PaymentLinkState = 'active' | 'disabled';

/** An address where buyers pay. */
export interface PaymentLink extends PaymentLinkSettings {
  readonly id: string;
  readonly hash: string;
  readonly state: PaymentLinkState;
  /**
   * The number of paid payments, including refunded ones; for a recurring link, the number of subscriptions that were
   * started.
   */
  readonly paymentsCount: number;
  /** The number of payments, or of subscriptions, that hold a place and are not paid yet. */
  readonly paymentsUnderWay: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The values of settings that are not sent. */
export const LINK_DEFAULTS = {
  description: null,
  amount_centavos: null,
  maxInstallments: 1,
  interestMode: 'none',
  interestFreeInstallments: 1,
  cardCapture: true,
  boletoExpirationDays: 3,
  pixExpirationMinutes: 30,
  expiresAt: null,
  maxPayments: null,
  collectPhone: false,
  requireAddress: false,
  softDescriptor: null,
  notificationUrl: null,
  sendEmailReceipt: false,
  logoUrl: null,
  brandColor: null,
  recurrenceInterval: null,
  recurrenceTrialDays: null,
} as const satisfies Partial<PaymentLinkSettings>;

/** Whether the buyer must enter an address: because the merchant requires it, or because a method needs it. */
export function isAddressRequired({ requireAddress, paymentMethods }: PaymentLinkSettings): boolean {
  return requireAddress || needsAddress(paymentMethods);
}

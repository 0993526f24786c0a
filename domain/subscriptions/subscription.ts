import type { Address } from '../contact.ts';
import type { CustomerDocument } from '../customers/customer.ts';
import type { SplitLine } from '../ledger/split.ts';
import type { FeeRate } from '../merchants/platform-fees.ts';
import type { OrderBuyer, OrderItem } from '../orders/order.ts';
import type { Payment, PaymentShare } from '../payments/payment.ts';
import type { Billing, Plan } from './billing.ts';
import type { NextCharge } from './engine/next-charge.ts';
import type { InvoiceStatus } from './invoice-moves.ts';
import type { MandateTerms } from './mandate-terms.ts';
import type { BillingMethod } from './methods/names.ts';

/** A line of a subscription's split. Each payment of the subscription is shared by it. */
export type SubscriptionShare = SplitLine & Pick<PaymentShare, 'recipient'>;

export interface SubscriptionPayer {
  readonly document: CustomerDocument | null;
  readonly address: Address | null;
}

/** A plan that replaces the present one when the charge of the difference is approved. */
export interface PendingUpgrade {
  readonly paymentId: string;
  readonly plan: Plan;
  /** The paid cycle whose rest is charged. */
  readonly cycle: number;
}

/** A mandate that replaces the present means of payment when the payer authorizes it. */
export interface PendingMandate {
  readonly method: BillingMethod;
  readonly mandateId: string;
  /** The payment of 0 with which it was requested. */
  readonly paymentId: string;
  readonly terms: MandateTerms;
  /** The plan that begins with the cycle that follows the authorization; null if the plan does not change. */
  readonly plan: Plan | null;
}

/** A subscription. Amounts are integer centavos of BRL; times are by the merchant's clock. */
export interface Subscription {
  readonly id: string;
  /** The merchant's reference. */
  readonly code: string;
  readonly customerId: string;
  /** The card that is charged; null if another method is. */
  readonly cardId: string | null;
  /** The stored credential of the card in a wallet that is charged; null for other methods, and after the end. */
  readonly walletCredentialId: string | null;
  /**
   * The tax number and the address of the payer, as the request and the stored customer said when the method of payment
   * was chosen. Null if they said neither, if a buyer has started it at a page, and after the end.
   */
  readonly payer: SubscriptionPayer | null;
  /** The mandate that is charged, also before the payer has authorized it; null if another method is charged. */
  readonly mandateId: string | null;
  readonly mcc: string;
  readonly currency: string;
  readonly installments: number;
  /** Null: the merchant's name. */
  readonly statementDescriptor: string | null;
  /** How the card is used, for the acquirer. Null if the merchant did not say. */
  readonly processingModel: string | null;
  readonly description: string | null;
  readonly notificationUrl: string | null;
  readonly items: readonly OrderItem[];
  readonly split: readonly SubscriptionShare[];
  readonly startAt: Date;
  /** 1 to 31; null: the day of the first charge. */
  readonly bestChargeDay: number | null;
  /** The payment link at which the buyer subscribed; null for other subscriptions. */
  readonly paymentLinkId: string | null;
  /** The offer at whose page the buyer subscribed, also after a change of the plan; null for other subscriptions. */
  readonly pageOfferId: string | null;
  /** What the buyer typed at a checkout page; null if the merchant created the subscription. */
  readonly buyer: OrderBuyer | null;
  readonly billing: Billing;
  /** An upgrade whose charge has no outcome yet; null if there is none. */
  readonly pendingUpgrade: PendingUpgrade | null;
  /** A change to Pix recurring that waits for the payer; null if there is none. */
  readonly pendingMandate: PendingMandate | null;
  readonly latestPaymentId: string | null;
  readonly cancellationReason: string | null;
  readonly canceledAt: Date | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A subscription as a merchant reads it. */
export interface ShownSubscription {
  readonly subscription: Subscription;
  /** The latest payment, or the one that asks for a pending mandate; null before the first. */
  readonly payment: Payment | null;
  /** The plan that begins with the next cycle; null if none does. */
  readonly pendingPlan: Plan | null;
  /** A plan that waits for its payer to authorize a mandate, or for the outcome of its charge; null if none does. */
  readonly requestedPlan: Plan | null;
  /** Null if no charge follows. */
  readonly nextCharge: NextCharge | null;
  /** The platform's fee for each charge. */
  readonly fee: FeeRate;
}

/** The invoice of a billing cycle. Days are merchant's days, `YYYY-MM-DD`. */
export interface Invoice {
  readonly id: string;
  readonly cycle: number;
  readonly status: InvoiceStatus;
  /** The first day of its period. */
  readonly billingDate: string;
  /** The billing date of the next cycle, which the period does not include. */
  readonly periodEnd: string;
  /** The price, before the credit. */
  readonly amount_centavos: number;
  /** The part of the price that a credit has paid. */
  readonly credit_centavos: number;
  readonly paidAt: Date | null;
  readonly createdAt: Date;
}

/** An invoice with the payments that tried to pay it, oldest first. */
export interface InvoiceWithPayments extends Invoice {
  readonly payments: readonly Payment[];
}

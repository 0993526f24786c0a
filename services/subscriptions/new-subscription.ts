import type { OrderBuyer, OrderItem } from '../../domain/orders/order.ts';
import type { BillingInterval } from '../../domain/products/billing-interval.ts';
import type { Plan } from '../../domain/subscriptions/billing.ts';
import type { BillingMethod } from '../../domain/subscriptions/methods/names.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import type { CustomerReference } from '../customers/resolve-customer.ts';
import type { TransactionContext } from '../deps.ts';
import type { SplitRequest } from '../ledger/resolve-split.ts';
import type { PaymentInput } from '../payments/methods/index.ts';
import type { PreparedPayment } from '../payments/methods/method.ts';
import type { Refusal } from '../refusal.ts';

/** A subscription as a merchant requests it. Null: not sent. */
export interface NewSubscription {
  readonly id: string;
  /** An earlier run of this request may have written the subscription with this id. */
  readonly isRerun: boolean;
  readonly code: string | null;
  readonly mcc: string;
  readonly description: string | null;
  readonly notificationUrl: string | null;
  readonly offerId: string | null;
  readonly interval: BillingInterval | null;
  /** An ISO 8601 instant, or a merchant's day. */
  readonly startAt: string | null;
  readonly bestChargeDay: number | null;
  readonly trialDays: number | null;
  readonly nextChargeAmount_centavos: number | null;
  readonly customer: CustomerReference;
  readonly amount_centavos: number | null;
  readonly currency: string;
  readonly installments: number;
  readonly payment: SubscriptionPayment;
  readonly split: readonly SplitRequest[];
  readonly items: readonly OrderItem[];
}

/** How the cycles are paid. */
export type SubscriptionPayment = PaymentInput & { readonly method: BillingMethod };

/** What a subscription stores of its means of payment. */
export type StoredMeans = Pick<
  Subscription,
  'cardId' | 'walletCredentialId' | 'statementDescriptor' | 'processingModel'
>;

/** How a buyer starts a subscription at a checkout page. */
export interface CheckoutStart {
  readonly paymentLinkId: string | null;
  /** Null at the page of a link. */
  readonly offerId: string | null;
  readonly buyer: OrderBuyer;
  /** The means of payment that the buyer typed. */
  readonly prepared: PreparedPayment;
  /** What the subscription stores of it, after `prepared` was locked. */
  means(): StoredMeans;
  /** Refuses other terms than the buyer has seen. */
  checkTerms(checked: { readonly plan: Plan; readonly trialDays: number }): void;
  /** The refusal of a second subscription of the same buyer, before it is written. Undefined if it is not refused. */
  purchaseProblem(context: TransactionContext, customerId: string): Promise<Refusal | undefined>;
}

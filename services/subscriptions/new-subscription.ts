import type { OrderItem } from '../../domain/orders/order.ts';
import type { BillingInterval } from '../../domain/products/billing-interval.ts';
import type { ChargingMethod } from '../../domain/subscriptions/methods/charging.ts';
import type { CustomerReference } from '../customers/resolve-customer.ts';
import type { SplitRequest } from '../ledger/resolve-split.ts';
import type { PaymentInput } from '../payments/methods/index.ts';

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
export type SubscriptionPayment = PaymentInput & { readonly method: ChargingMethod };

import type { Share, SplitLine } from '../ledger/split.ts';
import type { PaymentMethod } from '../merchants/payment-methods.ts';
import type { WithMethod } from './methods/index.ts';
import type { PaymentRefusal } from './refusal-reasons.ts';

export const PAYMENT_STATUSES = [
  'scheduled',
  'waiting_payment',
  'processing',
  'pre_authorized',
  'AUTHORIZED',
  'paid',
  'refused',
  'expired',
  'canceled',
  'refund_in_progress',
  'partially_refunded',
  'refunded',
  'chargeback_requested',
  'chargeback_dispute',
  'chargeback_lost',
] as const;

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/**
 * An operation on a payment that is not paid yet: the capture of an authorization, its release (`void`), or the
 * cancellation of a charge that waits for the buyer.
 */
export type PendingOperation = 'capture' | 'void' | 'cancel';

/** A payment by the method `M`. Amounts are integer centavos of BRL. */
export interface Payment<M extends PaymentMethod = PaymentMethod> extends WithMethod<M> {
  readonly id: string;
  readonly hash: string;
  readonly orderId: string | null;
  readonly orderCode: string | null;
  /** The payment link or the offer that was bought; both are null if the merchant placed the order. */
  readonly paymentLinkId: string | null;
  readonly offerId: string | null;
  /** The subscription that this payment charges; null for the payment of an order. */
  readonly subscriptionId: string | null;
  /** The billing cycle of the subscription; null if the payment charges none. */
  readonly cycle: number | null;
  readonly customerId: string;
  readonly status: PaymentStatus;
  /**
   * The operation that was requested and whose outcome is not known. With the status, it gives the state (`stateOf`).
   */
  readonly pendingOperation: PendingOperation | null;
  readonly amount_centavos: number;
  readonly currency: string;
  readonly installments: number;
  /** What the buyer pays for installments. It is part of the amount. */
  readonly interest_centavos: number;
  readonly captured_centavos: number;
  readonly refunded_centavos: number;
  /** Reserved by refunds whose outcome is not known. */
  readonly refunding_centavos: number;
  /** How the payment is shared, in the order of the request; empty without a split. */
  readonly split: readonly PaymentShare[];
  /** What the platform takes; null before the capture. */
  readonly fee_centavos: number | null;
  /** Merchant's day of the capture; null before. */
  readonly capturedOn: string | null;
  /** Our reference of the authorization or charge at the acquirer. */
  readonly reference: string;
  readonly mcc: string;
  readonly refusal: PaymentRefusal | null;
  readonly retryAttempts: number;
  /** Merchant's day on which it is charged, `YYYY-MM-DD`; null if it is charged at once. */
  readonly billingDate: string | null;
  /**
   * When the payment's next step is due by the merchant's clock, such as the expiry of a charge; null if there is none.
   */
  readonly dueAt: Date | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly history: readonly PaymentStep[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A line of a split, with its share: of the payment's amount before the capture, of the captured amount after it. */
export interface PaymentShare extends SplitLine, Pick<Share, 'share_centavos'> {
  /** The recipient as the request names it: number, UUID or hash. */
  readonly recipient: number | string;
  /** What the share bears of the fee; null before the capture. */
  readonly fee_centavos: number | null;
}

export interface PaymentStep {
  readonly status: PaymentStatus;
  readonly at: Date;
}

/** Merchant's time at which a payment became paid; undefined before. Refunds and disputes do not change it. */
export function firstPaidAt({ history }: Pick<Payment, 'history'>): Date | undefined {
  return history.find(({ status }) => status === 'paid')?.at;
}

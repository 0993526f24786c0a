import type { OrderBuyer, OrderItem } from '../../domain/orders/order.ts';
import type { CustomerReference } from '../customers/resolve-customer.ts';
import type { SplitRequest } from '../ledger/resolve-split.ts';
import type { PaymentInput } from '../payments/methods/index.ts';

/** An order as a merchant places it. */
export interface NewOrder {
  readonly id: string;
  /** An earlier run of this request may have written the order with this id. */
  readonly isRerun: boolean;
  readonly code: string;
  readonly mcc: string;
  readonly description: string | null;
  readonly notificationUrl: string | null;
  readonly customer: CustomerReference;
  readonly amount_centavos: number;
  readonly currency: string;
  readonly installments: number;
  readonly payment: PaymentInput;
  readonly split: readonly SplitRequest[];
  readonly items: readonly OrderItem[];
  readonly metadata: Readonly<Record<string, string>>;
  /** Present if a buyer pays at a checkout page. */
  readonly checkout?: CheckoutOrigin;
}

/** The checkout page where a buyer pays: of a payment link, or of an offer. */
export interface CheckoutOrigin {
  readonly paymentLinkId: string | null;
  readonly offerId: string | null;
  readonly interest_centavos: number;
  readonly buyer: OrderBuyer;
}

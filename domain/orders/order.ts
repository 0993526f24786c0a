import type { Address, Phone } from '../contact.ts';
import type { CustomerDocument } from '../customers/customer.ts';
import type { Language } from '../language.ts';
import type { Payment } from '../payments/payment.ts';

export interface OrderItem {
  readonly name: string;
  readonly description?: string;
  readonly quantity: number;
  /** Price of one item, in centavos. */
  readonly amount: number;
}

/** What a buyer agreed to pay for. Its status follows from its payment. */
export interface Order {
  readonly id: string;
  readonly code: string;
  readonly customerId: string;
  readonly mcc: string;
  readonly amount_centavos: number;
  readonly description: string | null;
  readonly notificationUrl: string | null;
  readonly items: readonly OrderItem[];
  readonly metadata: Readonly<Record<string, string>>;
  /** What the buyer typed at a checkout page; null if the merchant placed the order. */
  readonly buyer: OrderBuyer | null;
  readonly createdAt: Date;
}

/** A buyer as typed at a checkout page. The customer with this e-mail address may be stored with other data. */
export interface OrderBuyer {
  readonly name: string;
  readonly email: string;
  readonly documents: readonly CustomerDocument[];
  readonly addresses: readonly Address[];
  readonly phone: Phone | null;
  /** The language of the page. */
  readonly language: Language;
}

/** An order with its one payment. */
export interface PlacedOrder {
  readonly order: Order;
  readonly payment: Payment;
}

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
  readonly createdAt: Date;
}

/** An order with its one payment. */
export interface PlacedOrder {
  readonly order: Order;
  readonly payment: Payment;
}

import type { OrderItem } from '../../domain/orders/order.ts';
import type { CustomerReference } from '../customers/resolve-customer.ts';

/** An order as a merchant places it. Amounts are centavos; times are texts as they came. */
export interface NewOrder {
  readonly id: string;
  /** An earlier run of this request may have begun under this id. */
  readonly isRerun: boolean;
  readonly code: string;
  readonly mcc: string;
  readonly description: string | null;
  readonly notificationUrl: string | null;
  readonly customer: CustomerReference;
  readonly amount_centavos: number;
  readonly currency: string;
  readonly installments: number;
  readonly method: 'credit_card' | 'pix';
  readonly card: { id: string; statementDescriptor: string | null; capture: boolean } | null;
  readonly pixExpiresAt: string | null;
  readonly items: readonly OrderItem[];
  readonly metadata: Readonly<Record<string, string>>;
}

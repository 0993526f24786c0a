import type { CheckoutPayment } from '../../domain/checkout/checkout-payment.ts';
import { isAtCheckout } from '../../domain/payments/methods/index.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../payments/payment-row.ts';

/** A payment of a checkout page by its hash, and its merchant. Reads one slot. */
export async function findCheckoutPaymentByHash(
  db: Database,
  slot: number,
  hash: string,
): Promise<(CheckoutPayment & { readonly scope: MerchantScope }) | undefined> {
  const [row] = await db.lookUp.slotRows<PaymentRow & CheckoutColumns>(
    slot,
    `select p.*, case when s.status <> 'ended' then s.code end as live_subscription
       from (select slot, merchant_id, ${PAYMENT_COLUMNS} from payments
              where {slot} and hash = :hash and (payment_link_id is not null or offer_id is not null)) p
       left join subscriptions s on {slot:s} and s.merchant_id = p.merchant_id and s.id = p.subscription_id
        and s.buyer is not null
      where p.subscription_id is null or s.id is not null`,
    { hash },
  );
  const payment = row && toPayment(row);
  if (row === undefined || !isAtCheckout(payment!)) return undefined;
  return {
    scope: { slot: row.slot, merchantId: row.merchant_id },
    payment,
    liveSubscription: row.live_subscription,
  };
}

interface CheckoutColumns {
  readonly slot: number;
  readonly merchant_id: string;
  readonly live_subscription: string | null;
}

import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../payments/payment-row.ts';

/** The payment with a hash that a buyer made at a checkout page, and its merchant. Reads one slot. */
export async function findCheckoutPaymentByHash(
  db: Database,
  slot: number,
  hash: string,
): Promise<{ readonly scope: MerchantScope; readonly payment: Payment } | undefined> {
  const [row] = await db.lookUp.slotRows<PaymentRow & { slot: number; merchant_id: string }>(
    slot,
    `select slot, merchant_id, ${PAYMENT_COLUMNS} from payments
      where {slot} and hash = :hash and (payment_link_id is not null or offer_id is not null)`,
    { hash },
  );
  if (row === undefined) return undefined;
  return { scope: { slot: row.slot, merchantId: row.merchant_id }, payment: toPayment(row) };
}

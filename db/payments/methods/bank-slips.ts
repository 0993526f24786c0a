import type { Payment } from '../../../domain/payments/payment.ts';
import type { MerchantScope } from '../../../domain/scope.ts';
import type { Database } from '../../engine/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../payment-row.ts';

/** The payment by boleto with a hash, and its merchant. Reads one slot. */
export async function findBankSlipByHash(
  db: Database,
  slot: number,
  hash: string,
): Promise<{ scope: MerchantScope; payment: Payment<'bank_slip'> } | undefined> {
  const [row] = await db.slotRows<PaymentRow & { slot: number; merchant_id: string }>(
    slot,
    `select slot, merchant_id, ${PAYMENT_COLUMNS} from payments
      where {slot} and hash = :hash and method = 'bank_slip'`,
    { hash },
  );
  if (row === undefined) return undefined;
  return {
    scope: { slot: row.slot, merchantId: row.merchant_id },
    payment: toPayment(row) as Payment<'bank_slip'>,
  };
}

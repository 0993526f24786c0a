import type { Payment } from '../../../domain/payments/payment.ts';
import type { MerchantScope } from '../../../domain/scope.ts';
import type { Database } from '../../engine/database.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../payment-row.ts';

interface FoundBankSlip {
  readonly scope: MerchantScope;
  readonly payment: Payment<'bank_slip'>;
  /** The code of the subscription that it charges; null for an order. */
  readonly subscriptionCode: string | null;
}

/** The payment by boleto with a hash, and its merchant. Reads one slot. */
export async function findBankSlipByHash(
  db: Database,
  slot: number,
  hash: string,
): Promise<FoundBankSlip | undefined> {
  const [row] = await db.lookUp.slotRows<PaymentRow & BankSlipColumns>(
    slot,
    `select p.*, s.code as subscription_code
       from (select slot, merchant_id, ${PAYMENT_COLUMNS} from payments
              where {slot} and hash = :hash and method = 'bank_slip') p
       left join subscriptions s on {slot:s} and s.merchant_id = p.merchant_id and s.id = p.subscription_id`,
    { hash },
  );
  if (row === undefined) return undefined;
  return {
    scope: { slot: row.slot, merchantId: row.merchant_id },
    payment: toPayment(row) as Payment<'bank_slip'>,
    subscriptionCode: row.subscription_code,
  };
}

interface BankSlipColumns {
  readonly slot: number;
  readonly merchant_id: string;
  readonly subscription_code: string | null;
}
